"""Jobs of which one is queued or runs at a time."""

from arvel.queue import Job
from arvel.queue.middleware import unique_lock_for
from redis.asyncio import Redis

from app.worker.queue import Queue
from tests.worker.documented.jobs import Once, OnceRetried
from tests.worker.documented.seen import queued, said, waiting, work


async def is_free(job: Job) -> bool:
    lock = unique_lock_for(job)
    return await lock.acquire() and await lock.release()


async def test_second_one_is_dropped_without_a_word(queue: Queue) -> None:
    assert await Once.dispatch("a", "order 1") is not None
    assert await Once.dispatch("a", "order 1") is None
    assert await queued() == {"default": 1}


async def test_what_is_unique_is_up_to_the_job(queue: Queue) -> None:
    assert await Once.dispatch("a", "order 1") is not None
    assert await Once.dispatch("a", "order 2") is not None
    assert await queued() == {"default": 2}


async def test_next_one_may_come_once_it_ended_well_or_badly(queue: Queue) -> None:
    await Once.dispatch("a", "bad")
    await Once.dispatch("a", "good", good=1)
    await work(queue)
    assert sorted(await said("a")) == ["bad", "good"]
    assert await is_free(Once("a", "bad"))
    assert await is_free(Once("a", "good"))


async def test_it_stays_unique_while_it_waits_for_its_next_try(queue: Queue) -> None:
    await OnceRetried.dispatch("a", "order 1")
    await work(queue)
    assert len(await waiting()) == 1
    assert await OnceRetried.dispatch("a", "order 1") is None
    await work(queue, passes=2)
    assert len(await said("a")) == 2
    assert await is_free(OnceRetried("a", "order 1"))


async def test_delayed_one_is_unique_too(queue: Queue) -> None:
    assert await Once.dispatch_after(60, "a", "order 1") is not None
    assert await Once.dispatch_after(60, "a", "order 1") is None
    assert await Once.dispatch("a", "order 1") is None
    assert len(await waiting()) == 1


async def test_worker_that_dies_blocks_it_no_longer_than_it_says(
    queue: Queue, redis: Redis
) -> None:
    await Once.dispatch("a", "order 1")
    (key,) = await redis.keys("unique_job:*")
    assert 110 < await redis.ttl(key) <= 120
