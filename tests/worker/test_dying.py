"""What a worker leaves behind when it dies, stops or is stopped."""

import asyncio
import time

from redis.asyncio import Redis

from app.worker.queue import Queue
from app.worker.refusal import Reason
from app.worker.streams import Streams
from tests.fakes.waiting import patience
from tests.worker.inside import run_until_empty, working
from tests.worker.lying import is_empty, left, set_aside
from tests.worker.probes.notes import Broken, Deadly, Note, Slow
from tests.worker.probes.stored import Holding
from tests.worker.workers import PACE, WorkerProcess, until, worker

STREAM = "pillarbox:queue:default"


async def count(redis: Redis, key: str) -> int:
    return await redis.llen(f"ran:{key}")


async def consumers(redis: Redis) -> int:
    return len(await redis.xinfo_consumers(STREAM, "workers"))


async def test_killed_worker_s_message_is_taken_over_while_nothing_else_happens(
    queue: Queue, redis: Redis
) -> None:
    """Field report 4; for the times of real life see ``test_pace``."""
    async with worker() as doomed, worker() as other:
        await until(lambda: _both_started(doomed, other))
        await queue.push(Slow, ("a", 3.0), {})
        await until(lambda: redis.exists("ran:a:begun"))
        first = int(await redis.lindex("ran:a:begun", 0))
        (doomed if doomed.pid == first else other).kill()
        killed = time.monotonic()
        await until(lambda: _twice(redis))
        assert time.monotonic() - killed < patience(PACE["abandoned"] + 2 * PACE["look"] + 5)
        await until(lambda: redis.exists("ran:a:ended"))
        await until(lambda: is_empty(queue))


async def _both_started(one: WorkerProcess, other: WorkerProcess) -> bool:
    return await one.said("worker_started") and await other.said("worker_started")


async def _twice(redis: Redis) -> bool:
    return await count(redis, "a:begun") == 2


async def test_terminated_worker_finishes_what_it_began(queue: Queue, redis: Redis) -> None:
    """Field report 8."""
    await queue.push_many(Slow, [(("a", 2.0), None)] * 20)
    async with worker() as process:
        await until(lambda: _begun(redis, 20))
        process.terminate()
        await until(lambda: process.said("worker_draining"))
        await queue.push(Note, ("late",), {})
        assert await process.ended(10) == 0
    assert await count(redis, "a:ended") == 20
    assert await count(redis, "late") == 0
    assert await left(queue) == [0, 1, 0]


async def _begun(redis: Redis, jobs: int) -> bool:
    return await count(redis, "a:begun") == jobs


async def test_work_that_outlasts_the_drain_is_left_to_another_worker(
    queue: Queue, redis: Redis
) -> None:
    await queue.push_many(Slow, [(("a", 3.0), None)] * 5)
    async with worker({"abandoned": 60.0}, {"DISPATCH_DRAIN": "0.5"}) as process:
        await until(lambda: _begun(redis, 5))
        process.terminate()
        assert await process.ended(5) == 0
    assert await count(redis, "a:ended") == 0
    assert await left(queue) == [0, 5, 0]
    async with worker({"abandoned": 60.0}):
        # At once, since the first one said that it gives them up.
        await until(lambda: _begun(redis, 10), 15)


async def test_second_signal_cuts_the_drain_short(queue: Queue, redis: Redis) -> None:
    await queue.push(Slow, ("a", 30.0), {})
    async with worker() as process:
        await until(lambda: redis.exists("ran:a:begun"))
        process.terminate()
        await asyncio.sleep(0.5)
        assert process.running
        process.terminate()
        assert await process.ended(5) == 0


async def test_what_a_job_holds_may_write_down_its_last_words(queue: Queue, redis: Redis) -> None:
    await queue.push(Holding, ("a", 30.0), {})
    async with worker({}, {"DISPATCH_DRAIN": "0.5"}) as process:
        await until(lambda: redis.exists("ran:a:failed"))
        process.terminate()
        assert await process.ended(10) == 0
    assert await count(redis, "a:last words") == 1
    assert await left(queue) == [0, 1, 0]


async def test_failure_that_arvel_does_not_settle_is_tried_again_ten_times(
    queue: Queue, redis: Redis
) -> None:
    pace = {"heartbeat": 0.05, "abandoned": 0.1, "look": 0.05, "block": 0.05}
    await queue.push(Broken, ("a",), {})
    async with working(queue, pace=pace):
        await until(lambda: redis.exists("ran:poisoned"))
        await until(lambda: is_empty(queue))
    assert await count(redis, "a") == 10
    assert await redis.lrange("ran:poisoned", 0, -1) == [b"Broken a"]
    assert await set_aside(queue) == 1
    assert queue.quarantine.counts == {Reason.POISONED: 1}


async def test_message_that_kills_its_workers_is_stopped(queue: Queue, redis: Redis) -> None:
    await queue.push(Deadly, ("a",), {})
    async with worker() as process:
        assert await process.ended() == 9
    identifier = (await redis.xrange(STREAM))[0][0]
    # Nine more workers would take nine more boots: the broker counts for them.
    await redis.xclaim(STREAM, "workers", "nobody", 0, [identifier], retrycount=10)
    async with worker():
        await until(lambda: redis.exists("ran:poisoned"))
        await until(lambda: is_empty(queue))
    assert await count(redis, "a") == 1


async def test_stopped_process_that_goes_on_does_no_harm(queue: Queue, redis: Redis) -> None:
    async with worker() as frozen:
        await queue.push(Slow, ("a", 1.0), {})
        await until(lambda: redis.exists("ran:a:begun"))
        frozen.freeze()
        async with worker():
            await until(lambda: redis.exists("ran:a:ended"))
            await until(lambda: is_empty(queue))
            frozen.wake()
            await queue.push_many(Note, [(("b",), None)] * 5)
            await until(lambda: _ran_five(redis))
        frozen.terminate()
        assert await frozen.ended() == 0


async def _ran_five(redis: Redis) -> bool:
    return await count(redis, "b") == 5


async def test_consumer_that_holds_nothing_leaves_no_name_behind(
    queue: Queue, redis: Redis
) -> None:
    await redis.xgroup_create(STREAM, "workers", id="0", mkstream=True)
    await redis.xgroup_createconsumer(STREAM, "workers", "dead")
    await run_until_empty(queue)
    assert await consumers(redis) == 1, "the other was silent for less than an hour"
    streams = Streams(queue.broker.client, queue.broker.client, queue.broker.names, "me")
    await asyncio.sleep(0.05)
    assert await streams.prune("default", 0.01) == 1
    assert await consumers(redis) == 0


async def test_consumer_that_holds_a_message_is_never_removed(queue: Queue, redis: Redis) -> None:
    await queue.push(Note, ("a",), {})
    await redis.xgroup_create(STREAM, "workers", id="0")
    await redis.xreadgroup("workers", "dead", {STREAM: ">"})
    streams = Streams(queue.broker.client, queue.broker.client, queue.broker.names, "me")
    await asyncio.sleep(0.05)
    assert await streams.prune("default", 0.01) == 0
    assert await consumers(redis) == 1
