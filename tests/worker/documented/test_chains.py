"""Jobs that run one after another."""

import pytest
from arvel.kernel.logging import LogManager
from arvel.queue import Bus
from arvel.support.context import Context

from app.worker.queue import Queue
from app.worker.refusal import Refused
from tests.worker.documented.jobs import Failing, Final, Report, gave_up
from tests.worker.documented.seen import queued, said, work, work_until


def not_allowed(exc: BaseException) -> None:
    """Never called."""


async def test_next_job_is_on_the_broker_only_when_the_one_before_succeeded(queue: Queue) -> None:
    await Bus.chain([Report("a", "1"), Report("a", "2"), Report("a", "3")]).dispatch()
    assert await queued() == {"default": 1}
    await queue.work(max_jobs=1, max_time=10)
    assert await said("a") == ["1"]
    assert await queued() == {"default": 1}
    await work(queue)
    assert await said("a") == ["1", "2", "3"]


async def test_failure_ends_the_chain_and_is_told(queue: Queue) -> None:
    jobs = [Report("a", "1"), Final("a", "2"), Report("a", "3")]
    await Bus.chain(jobs).catch(gave_up).dispatch()
    await work_until(queue, "gave_up")
    assert await said("a") == ["1", "2"]
    assert await said("gave_up") == ["2"]
    assert await queued() == {}


async def test_link_that_is_retried_goes_on_with_the_chain(queue: Queue) -> None:
    await Bus.chain([Failing("a", "1", good=2), Report("a", "2")]).catch(gave_up).dispatch()
    await work_until(queue, "a", 3)
    assert await said("a") == ["1", "1", "2"]
    assert await said("gave_up") == []


async def test_callback_that_nobody_allowed_is_refused_at_once(queue: Queue) -> None:
    with pytest.raises(Refused, match=r"queue\.allow_callback\(\)"):
        await Bus.chain([Report("a"), Report("a")]).catch(not_allowed).dispatch()
    assert await queued() == {}


async def test_request_of_a_chain_may_have_more_in_its_context_than_jobs_carry(
    queue: Queue,
) -> None:
    Context.add("secret", "canary")
    with LogManager.bound_context(address="canary"):
        await Bus.chain([Report("a", "1"), Report("a", "2")]).dispatch()
    Context.flush()
    await work(queue)
    assert await said("a") == ["1", "2"]
