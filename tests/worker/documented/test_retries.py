"""How often a failing job is tried, when, and how it ends."""

from datetime import UTC, datetime, timedelta

from app.worker.queue import Queue
from tests.worker.documented.jobs import (
    Escalating,
    Failing,
    Final,
    Limited,
    Overdue,
    Report,
    Until,
)
from tests.worker.documented.seen import Delayed, letters, said, waiting, work, work_until


async def test_job_is_tried_as_often_as_it_says_and_told_of_its_end_once(queue: Queue) -> None:
    await Failing.dispatch("a")
    await work_until(queue, "a:failed")
    assert await said("a") == ["tried"] * 3
    assert await said("a:failed") == ["Error: tried"]
    assert len(await letters()) == 1


async def test_job_that_succeeds_in_the_end_did_not_fail(queue: Queue) -> None:
    await Failing.dispatch("a", good=3)
    await work_until(queue, "a", 3)
    assert await said("a:failed") == []
    assert await letters() == []


async def test_each_wait_is_as_long_as_it_says_and_the_last_one_again(queue: Queue) -> None:
    await Escalating.dispatch("a")
    for attempt, seconds in ((1, 10), (2, 30), (3, 30)):
        await work(queue, passes=1 if attempt == 1 else 2)
        assert await waiting() == [Delayed("default", seconds, attempt)]
    await work(queue, passes=2)
    assert await waiting() == []
    assert len(await said("a")) == 4


async def test_worker_does_other_work_while_a_job_waits_for_its_next_try(queue: Queue) -> None:
    queue.app.config().set("queue.concurrency", 1)
    await Escalating.dispatch("a")
    await Report.dispatch("b")
    await work(queue)
    assert await said("b") == ["ran"]
    assert len(await waiting()) == 1


async def test_fewer_exceptions_than_tries_may_be_the_end(queue: Queue) -> None:
    await Limited.dispatch("a")
    await work_until(queue, "a:failed")
    assert len(await said("a")) == 2


async def test_past_its_time_a_job_is_not_tried_again(queue: Queue) -> None:
    await Overdue.dispatch("a")
    await work(queue)
    assert len(await said("a")) == 1
    assert len(await letters()) == 1


async def test_time_may_be_set_where_the_job_is_made(queue: Queue) -> None:
    await Until.dispatch("a", 60)
    await Until.dispatch("b", -1)
    await work_until(queue, "a:failed")
    assert len(await said("a")) == 3
    assert len(await said("b")) == 1
    job = Until("c", 60)
    assert job.retry_until is not None
    assert timedelta(0) < job.retry_until - datetime.now(UTC) <= timedelta(seconds=60)


async def test_job_of_one_try_is_tried_once(queue: Queue) -> None:
    await Final.dispatch("a")
    await work(queue)
    assert await said("a") == ["tried"]
    assert await waiting() == []
