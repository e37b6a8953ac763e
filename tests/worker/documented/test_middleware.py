"""What a job may have done around its ``handle``: middleware that puts it back for later."""

from arvel.support import cache

from app.worker.queue import Queue
from tests.worker.documented.jobs import Alone, Capped, Fragile, Wrapped
from tests.worker.documented.seen import Delayed, bring_due, letters, said, waiting, work


async def test_middleware_of_the_application_stands_around_handle(queue: Queue) -> None:
    await Wrapped.dispatch("a")
    await work(queue)
    assert await said("a") == ["before", "ran", "after"]


async def test_job_that_must_not_overlap_waits_without_using_up_a_try(queue: Queue) -> None:
    lock = cache().lock("job_overlap:own:a", seconds=60)
    assert await lock.acquire()
    await Alone.dispatch("a")
    await work(queue, passes=3)
    assert await said("a") == []
    assert await waiting() == [Delayed("default", 5, 0)]
    await lock.release()
    await work(queue, passes=2)
    assert await said("a") == ["ran"]
    assert await lock.acquire()


async def test_jobs_beyond_the_rate_wait_for_the_next_window(queue: Queue) -> None:
    for _ in range(3):
        await Capped.dispatch("a")
    await work(queue)
    assert len(await said("a")) == 2
    (row,) = await waiting()
    assert 50 < row.seconds <= 61
    await cache().forget("own:a")
    await bring_due()
    await work(queue)
    assert len(await said("a")) == 3
    assert await letters() == []


async def test_after_several_failures_the_next_tries_are_put_off(queue: Queue) -> None:
    await Fragile.dispatch("a")
    await work(queue, passes=5)
    assert len(await said("a")) == 2
    assert await waiting() == [Delayed("default", 60, 0)]
    await cache().forget("own:a")
    await work(queue, passes=2)
    assert len(await said("a")) > 2
    assert await letters() == []
