"""What is urgent overtakes what is sent in bulk, however much of that there is."""

import asyncio
import time

from redis.asyncio import Redis

from app.worker.queue import Queue
from tests.fakes.waiting import patience
from tests.worker.inside import working
from tests.worker.probes.notes import Note, Slow
from tests.worker.workers import until

BACKLOG = 100_000
AT_ONCE = 2_000
SLOW = 8.0


async def fill(queue: Queue, redis: Redis) -> None:
    """Copies of one true message, as many as a campaign has."""
    await queue.push(Slow, ("bulk", SLOW), {}, queue="bulk")
    [(_, fields)] = await redis.xrange("pillarbox:queue:bulk")
    for _ in range(BACKLOG // AT_ONCE):
        pipeline = redis.pipeline(transaction=False)
        for _ in range(AT_ONCE):
            pipeline.xadd("pillarbox:queue:bulk", fields)
        await pipeline.execute()


async def held(redis: Redis, label: str) -> int:
    return int((await redis.xpending(f"pillarbox:queue:{label}", "workers"))["pending"])


async def test_a_hundred_thousand_slow_bulk_messages_delay_a_high_one_by_less_than_a_second(
    queue: Queue, redis: Redis
) -> None:
    await fill(queue, redis)
    async with working(queue):

        async def full() -> bool:
            return await redis.llen("ran:bulk:begun") == 90

        await until(full, 30)
        for number in range(5):
            pushed = time.monotonic()
            await queue.push(Note, (f"high-{number}",), {}, queue="high")
            await until(lambda number=number: redis.exists(f"ran:high-{number}"), 5)
            assert time.monotonic() - pushed < patience(1)
        assert await held(redis, "bulk") == 90


async def test_a_queue_takes_no_more_places_than_it_was_given(queue: Queue, redis: Redis) -> None:
    for label in ("bulk", "default"):
        await queue.push_many(Slow, [((label, 1.0), label)] * 12)
    async with working(queue, concurrency=20, limits={"bulk": 3, "default": 5}):

        async def begun() -> bool:
            return await redis.llen("ran:default:begun") >= 5

        most = 0
        await until(begun)
        while await redis.llen("ran:default:ended") + await redis.llen("ran:bulk:ended") < 24:
            most = max(most, await held(redis, "bulk"))
            assert await held(redis, "bulk") <= 3
            assert await held(redis, "default") <= 5
            await asyncio.sleep(0.02)
        assert most == 3


async def test_bulk_alone_has_the_whole_worker(queue: Queue, redis: Redis) -> None:
    await queue.push_many(Slow, [(("a", 1.0), "bulk")] * 10)
    async with working(queue, labels=["bulk"], concurrency=10):

        async def all_at_once() -> bool:
            return await redis.llen("ran:a:begun") == 10

        await until(all_at_once)
        assert not await redis.exists("ran:a:ended")


async def test_bulk_goes_on_when_nothing_else_is_there(queue: Queue, redis: Redis) -> None:
    await queue.push_many(Note, [((f"n{n}",), "bulk") for n in range(200)])
    async with working(queue, concurrency=2):

        async def empty() -> bool:
            return await redis.xlen("pillarbox:queue:bulk") == 0

        await until(empty)
