"""What a worker leaves on RabbitMQ when it dies, stops or is stopped."""

import asyncio

from redis.asyncio import Redis

from app.worker.queue import Queue
from tests.worker.inside import working
from tests.worker.lying import left
from tests.worker.probes.notes import Note, Slow
from tests.worker.test_dying import (
    test_failure_that_arvel_does_not_settle_is_tried_again_ten_times,
    test_killed_worker_s_message_is_taken_over_while_nothing_else_happens,
    test_stopped_process_that_goes_on_does_no_harm,
    test_terminated_worker_finishes_what_it_began,
    test_work_that_outlasts_the_drain_is_left_to_another_worker,
)
from tests.worker.workers import until

__all__ = [
    "test_failure_that_arvel_does_not_settle_is_tried_again_ten_times",
    "test_killed_worker_s_message_is_taken_over_while_nothing_else_happens",
    "test_stopped_process_that_goes_on_does_no_harm",
    "test_terminated_worker_finishes_what_it_began",
    "test_work_that_outlasts_the_drain_is_left_to_another_worker",
]


async def test_what_comes_while_a_worker_drains_is_there_for_others(
    queue: Queue, redis: Redis
) -> None:
    await queue.push(Slow, ("a", 2.0), {})
    async with working(queue) as stop:
        await until(lambda: redis.exists("ran:a:begun"))
        stop.set()
        await asyncio.sleep(0.5)
        await queue.push_many(Note, [(("b",), "high")])
        assert await left(queue) == [1, 0, 0]
        assert not await redis.exists("ran:a:ended")
    assert await left(queue) == [1, 0, 0]
