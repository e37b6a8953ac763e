"""Which queue a job travels on."""

from collections.abc import Awaitable, Callable

import pytest
from arvel.queue import Bus, Job

from app.worker.queue import Queue
from app.worker.routing import UnknownQueue
from tests.worker.documented.jobs import Escalating, Failing, Letter2, Mail, Report
from tests.worker.documented.seen import queued, waiting, work


async def test_class_without_a_queue_goes_where_a_provider_says(queue: Queue) -> None:
    queue.route(Report, queue="high")
    queue.route(Report, queue="bulk")
    await Report.dispatch("a")
    assert await queued() == {"bulk": 1}


async def test_route_of_a_class_is_none_of_its_subclasses(queue: Queue) -> None:
    queue.route(Report, queue="bulk")
    await Failing.dispatch("a")
    assert await queued() == {"default": 1}


@pytest.mark.parametrize("job_cls", [Mail, Letter2])
async def test_queue_of_the_class_or_of_its_parent_comes_before_the_route(
    queue: Queue, job_cls: type[Job]
) -> None:
    """The application named its queue, and which of ours it travels on."""
    queue.route(job_cls, queue="bulk")
    await job_cls.dispatch("a")
    assert await queued() == {"high": 1}


async def test_queue_that_is_named_at_the_dispatch_comes_first(queue: Queue) -> None:
    await Mail.dispatch("a", queue="bulk")
    await queue.push(Report, ("a",), {}, queue="mail")
    assert await queued() == {"high": 1, "bulk": 1}


async def test_worker_may_be_told_the_application_s_name_of_a_queue(queue: Queue) -> None:
    await Mail.dispatch("a")
    await Report.dispatch("a", queue="bulk")
    await queue.work(["mail"], stop_when_empty=True, max_time=10)
    assert await queued() == {"bulk": 1}


async def test_queue_that_nobody_named_is_refused(queue: Queue) -> None:
    with pytest.raises(UnknownQueue, match=r"queue\.allow_queue\(\)"):
        await Report.dispatch("a", queue="reports")
    with pytest.raises(UnknownQueue):
        queue.allow_queue("reports", on="nowhere")
    with pytest.raises(ValueError, match="already"):
        queue.allow_queue("bulk")


WAYS: dict[str, Callable[[], Awaitable[object]]] = {
    "chain": lambda: Bus.chain([Report("a")]).dispatch(),
    "batch": lambda: Bus.batch([Report("a")]).dispatch(),
    "dispatch": lambda: Report.dispatch("a"),
}


@pytest.mark.parametrize("way", WAYS)
async def test_every_way_goes_by_the_route(queue: Queue, way: str) -> None:
    queue.route(Report, queue="bulk")
    await WAYS[way]()
    assert await queued() == {"bulk": 1}


async def test_delayed_and_retried_jobs_go_by_the_route(queue: Queue) -> None:
    queue.route(Report, queue="bulk")
    queue.route(Escalating, queue="high")
    await Escalating.dispatch("a")
    await work(queue)
    await Report.dispatch_after(60, "a")
    assert [row.queue for row in await waiting()] == ["high", "bulk"]


async def test_next_link_of_a_chain_goes_by_its_own_route(queue: Queue) -> None:
    queue.route(Failing, queue="bulk")
    await Bus.chain([Mail("a"), Failing("a")]).dispatch()
    await queue.work(["high"], stop_when_empty=True, max_time=10)
    assert await queued() == {"bulk": 1}
