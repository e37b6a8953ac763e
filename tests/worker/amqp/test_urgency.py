"""What is urgent overtakes what is sent in bulk on RabbitMQ as well."""

import asyncio
import time

from redis.asyncio import Redis

from app.worker.queue import Queue
from tests.fakes.waiting import patience
from tests.worker.inside import working
from tests.worker.lying import left
from tests.worker.probes.notes import Note, Slow
from tests.worker.workers import until

BACKLOG = 2_000


async def test_a_backlog_of_slow_bulk_messages_delays_a_high_one_by_less_than_a_second(
    queue: Queue, redis: Redis
) -> None:
    await queue.push_many(Slow, [(("bulk", 8.0), "bulk")] * BACKLOG)
    assert await left(queue) == [0, 0, BACKLOG]
    async with working(queue):

        async def full() -> bool:
            return await redis.llen("ran:bulk:begun") == 90

        await until(full, 30)
        for number in range(3):
            pushed = time.monotonic()
            await queue.push(Note, (f"high-{number}",), {}, queue="high")
            await until(lambda number=number: redis.exists(f"ran:high-{number}"), 5)
            assert time.monotonic() - pushed < patience(1)
        # It asked for no more than it works on: another worker could have the rest.
        assert await left(queue) == [0, 0, BACKLOG - 90]


async def test_a_queue_takes_no_more_places_than_it_was_given(queue: Queue, redis: Redis) -> None:
    await queue.push_many(Slow, [(("bulk", 1.0), "bulk")] * 9)
    most = 0
    async with working(queue, concurrency=20, limits={"bulk": 3}):
        while (ended := await redis.llen("ran:bulk:ended")) < 9:
            most = max(most, await redis.llen("ran:bulk:begun") - ended)
            await asyncio.sleep(0.02)
    assert most == 3
