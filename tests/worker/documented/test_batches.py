"""Jobs that are followed as a group."""

from typing import Any

from arvel.queue import Batch, Bus, PendingBatch

from app.worker.queue import Queue
from tests.worker.documented.jobs import Failing, Final, Report, all_done, one_failed, settled
from tests.worker.documented.seen import said, work, work_until

COUNTS = {"total": 3, "pending": 3, "failed": 0, "processed": 0}


def told(*jobs: Any) -> PendingBatch:
    batch = Bus.batch(list(jobs)).then(all_done).catch(one_failed).finally_(settled)
    return batch.name("weekly")


async def callbacks() -> dict[str, list[str]]:
    return {name: heard for name in ("then", "catch", "finally") if (heard := await said(name))}


async def test_progress_is_seen_while_the_jobs_run(queue: Queue) -> None:
    batch = await Bus.batch([Report("a") for _ in range(3)]).dispatch()
    assert await batch.counts() == COUNTS
    assert (await batch.progress(), await batch.finished()) == (0, False)
    await queue.work(max_jobs=1, max_time=10)
    assert await batch.counts() == COUNTS | {"pending": 2, "processed": 1}
    assert round(await batch.progress()) == 33
    await work(queue)
    assert await batch.progress() == 100
    assert await batch.finished()
    assert (await batch.total_jobs(), await batch.pending_jobs()) == (3, 0)


async def test_success_of_all_is_told_once(queue: Queue) -> None:
    batch = await told(*(Report("a") for _ in range(5))).dispatch()
    await work(queue)
    assert await callbacks() == {"then": [str(batch.id)], "finally": ["cancelled: False"]}


async def test_first_failure_cancels_the_rest_which_still_counts(queue: Queue) -> None:
    batch = await told(Final("a", "first"), Final("a", "second"), Report("a")).dispatch()
    queue.app.config().set("queue.concurrency", 1)
    await work(queue)
    assert await said("a") == ["first"]
    assert await callbacks() == {"catch": ["first"], "finally": ["cancelled: True"]}
    assert await batch.counts() == {"total": 3, "pending": 0, "failed": 1, "processed": 3}
    assert await batch.cancelled()


async def test_failures_may_be_allowed(queue: Queue) -> None:
    batch = await told(Final("a"), Report("a"), Report("a")).allow_failures().dispatch()
    await work(queue)
    assert len(await said("a")) == 3
    assert set(await callbacks()) == {"then", "finally"}
    assert await batch.failed_jobs() == 1
    assert not await batch.cancelled()


async def test_cancelled_batch_runs_nothing_more_and_ends(queue: Queue) -> None:
    batch = await told(Report("a"), Report("a")).dispatch()
    await batch.cancel()
    await Batch(batch.id).cancel()
    await work(queue)
    assert await said("a") == []
    assert await batch.finished()
    assert await callbacks() == {"finally": ["cancelled: True"]}


async def test_job_of_a_batch_is_retried_before_it_counts(queue: Queue) -> None:
    batch = await told(Failing("a", good=2)).dispatch()
    await work_until(queue, "then")
    assert await said("a") == ["tried", "tried"]
    assert await batch.failed_jobs() == 0


async def test_empty_batch_is_finished_at_once(queue: Queue) -> None:
    batch = await told().dispatch()
    assert await batch.finished()
    assert set(await callbacks()) == {"then", "finally"}
