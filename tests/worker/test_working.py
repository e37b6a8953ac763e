"""A worker in a process of its own runs what lies on the streams, as it is asked to."""

import asyncio
import time

import pytest
from arvel.kernel import app
from arvel.queue import Bus
from redis.asyncio import Redis

from app.worker.options import labels_of
from app.worker.queue import Queue
from app.worker.routing import UnknownQueue
from tests.worker.probes.callbacks import caught, finished
from tests.worker.probes.notes import Alone, Crowd, Note, Slow
from tests.worker.probes.stored import Failing, Holding, Released
from tests.worker.workers import until, worker

LABELS = ("high", "default", "bulk")


async def ran(redis: Redis, key: str) -> list[str]:
    return [value.decode() for value in await redis.lrange(f"ran:{key}", 0, -1)]


async def left(redis: Redis) -> list[int]:
    return [await redis.xlen(f"pillarbox:queue:{label}") for label in LABELS]


async def test_plain_worker_consumes_all_queues(queue: Queue, redis: Redis) -> None:
    await queue.push_many(Note, [(("a",), label) for label in LABELS])
    async with worker(queues=["default"], stop_when_empty=True) as process:
        assert await process.ended() == 0
    assert len(await ran(redis, "a")) == 3
    assert await left(redis) == [0, 0, 0]


async def test_worker_of_one_queue_leaves_the_others(queue: Queue, redis: Redis) -> None:
    await queue.push_many(Note, [(("a", label), label) for label in LABELS])
    async with worker(queues=["bulk"], stop_when_empty=True) as process:
        assert await process.ended() == 0
    assert await ran(redis, "a") == ["bulk"]
    assert await left(redis) == [1, 1, 0]


def test_queue_that_nobody_fills_is_refused() -> None:
    with pytest.raises(UnknownQueue):
        labels_of(["urgent"])


async def test_urgent_jobs_go_first(queue: Queue, redis: Redis) -> None:
    await queue.push_many(Note, [(("a", label), label) for label in reversed(LABELS)] * 3)
    async with worker({}, {"QUEUE_CONCURRENCY": "1"}, stop_when_empty=True) as process:
        assert await process.ended() == 0
    assert await ran(redis, "a") == ["high"] * 3 + ["default"] * 3 + ["bulk"] * 3


async def test_never_more_jobs_at_once_than_configured(queue: Queue, redis: Redis) -> None:
    """Field report 16."""
    await queue.push_many(Crowd, [(("a",), LABELS[i % 3]) for i in range(500)])
    most_held = 0
    async with worker({}, {"QUEUE_CONCURRENCY": "10"}, stop_when_empty=True) as process:
        ended = asyncio.create_task(process.ended())
        await until(lambda: redis.exists("ran:a"))
        while not ended.done():
            held = [await redis.xpending(f"pillarbox:queue:{q}", "workers") for q in LABELS]
            most_held = max(most_held, sum(each["pending"] for each in held))
            await asyncio.sleep(0.02)
    at_once = [int(value) for value in await ran(redis, "a")]
    assert len(at_once) == 500
    assert max(at_once) == 10
    assert most_held == 10


async def test_job_in_progress_is_given_to_nobody_else(queue: Queue, redis: Redis) -> None:
    """Field reports 1 and 2: longer than every time after which a message counts as abandoned."""
    await queue.push(Slow, ("a", 4.0), {})
    async with worker(), worker():
        await until(lambda: redis.exists("ran:a:ended"))
    assert len(await ran(redis, "a:begun")) == 1


async def test_same_job_five_times_runs_once_at_a_time(queue: Queue, redis: Redis) -> None:
    """Field report 1: what finds its lock taken returns, and leaves nothing behind."""
    await queue.push_many(Alone, [(("a", 2.0), label) for label in (*LABELS, "high", "bulk")])
    async with worker(stop_when_empty=True) as one, worker(stop_when_empty=True) as other:
        assert await one.ended() == await other.ended() == 0
    assert len(await ran(redis, "a:begun")) == 1
    assert await left(redis) == [0, 0, 0]
    assert await app().make("db").select("SELECT id FROM jobs") == []


async def test_max_jobs_leaves_the_rest(queue: Queue, redis: Redis) -> None:
    await queue.push_many(Note, [(("a",), "bulk")] * 10)
    async with worker(max_jobs=3) as process:
        assert await process.ended() == 0
    assert len(await ran(redis, "a")) == 3
    assert await left(redis) == [0, 0, 7]


@pytest.mark.parametrize("limit", [{"max_time": 0.5}, {"memory": 1.0}])
async def test_worker_stops_at_its_limit(queue: Queue, limit: dict[str, float]) -> None:
    async with worker(**limit) as process:
        assert await process.ended(15) == 0


async def test_rest_lies_between_two_jobs(queue: Queue, redis: Redis) -> None:
    await queue.push_many(Note, [(("a", str(i)), None) for i in range(3)])
    started = time.monotonic()
    alone = {"QUEUE_CONCURRENCY": "1"}
    async with worker({}, alone, stop_when_empty=True, rest=0.7) as process:
        await process.ended()
    assert len(await ran(redis, "a")) == 3
    assert time.monotonic() - started > 2.1


async def test_named_queue_survives_retries_to_the_dead_letter(queue: Queue, redis: Redis) -> None:
    await queue.push(Failing, ("a",), {}, queue="bulk")
    async with worker():
        await until(lambda: app().make("db").select("SELECT id FROM failed_jobs"))
    assert len(await ran(redis, "a")) == 2
    letters = await app().make("db").select("SELECT queue FROM failed_jobs")
    assert [letter["queue"] for letter in letters] == ["bulk"]


async def test_named_queue_survives_a_release(queue: Queue, redis: Redis) -> None:
    await queue.push(Released, ("a",), {}, queue="high")
    async with worker(queues=["high"]):
        await until(lambda: redis.lindex("ran:a", 1))
        await until(lambda: _empty(redis))


async def test_chain_runs_in_order(queue: Queue, redis: Redis) -> None:
    await Bus.chain([Note("a", "1"), Note("a", "2"), Note("a", "3")]).dispatch()
    async with worker(stop_when_empty=True) as process:
        assert await process.ended() == 0
    assert await ran(redis, "a") == ["1", "2", "3"]


async def test_allowed_callbacks_of_chain_and_batch_are_called(queue: Queue, redis: Redis) -> None:
    await Bus.chain([Failing("a")]).catch(caught).dispatch()
    await Bus.batch([Note("b"), Note("b")]).then(finished).dispatch()
    async with worker():
        await until(lambda: redis.exists("ran:caught", "ran:finished"))
        await until(lambda: redis.exists("ran:caught"))
    assert len(await ran(redis, "finished")) == 1


async def test_message_lives_until_what_its_job_holds_has_ended(queue: Queue, redis: Redis) -> None:
    await queue.push(Holding, ("a", 4.0), {})
    async with worker(), worker():
        await until(lambda: redis.exists("ran:a:failed"))
        assert (await redis.xpending("pillarbox:queue:default", "workers"))["pending"] == 1
        await until(lambda: redis.exists("ran:a:ended"))
        await until(lambda: _empty(redis))
    assert len(await ran(redis, "a:begun")) == 1


async def _empty(redis: Redis) -> bool:
    return await left(redis) == [0, 0, 0]
