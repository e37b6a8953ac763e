"""What a job knows of the request that dispatched it, and what its log lines say."""

from collections.abc import Iterator

import pytest
from arvel.kernel.logging import LogManager
from arvel.queue import Bus
from arvel.support.context import Context

from app.worker.queue import Queue
from tests.worker.documented.jobs import Failing, Final, Telling, TellingTwice
from tests.worker.documented.seen import letters, said, waiting, work

CONTEXT = ["7", "None"]
LOG = ["'r1'", "'u1'", "None"]


@pytest.fixture(autouse=True)
def context() -> Iterator[None]:
    Context.flush()
    yield
    Context.flush()


class Request:
    """What a request has bound while it dispatches."""

    def __enter__(self) -> None:
        Context.add({"tenant": 7, "secret": "canary"})
        self._log = LogManager.bound_context(request_id="r1", user_id="u1", address="canary")
        self._log.__enter__()

    def __exit__(self, *_: object) -> None:
        self._log.__exit__(None, None, None)
        Context.flush()
        Context.add("tenant", "of somebody else")


async def test_allowed_names_are_as_they_were_at_the_dispatch_and_others_stay(
    queue: Queue,
) -> None:
    with Request():
        await Telling.dispatch("a")
    await work(queue)
    assert await said("a:context") == CONTEXT
    assert await said("a:log") == LOG
    assert await said("a:job") == ["Telling"]


async def test_delayed_jobs_and_chains_carry_them_too(queue: Queue) -> None:
    with Request():
        await Telling.dispatch_after(0, "a")
        await Bus.chain([Telling("a"), Telling("a")]).dispatch()
    await work(queue)
    assert sorted(await said("a:context")) == sorted(CONTEXT * 3)
    assert sorted(await said("a:log")) == sorted(LOG * 3)


async def test_each_run_has_a_number_of_its_own_and_the_request_of_its_dispatcher(
    queue: Queue,
) -> None:
    with Request():
        await TellingTwice.dispatch("a")
    await work(queue)
    assert await said("a:log") == LOG * 2
    assert await said("a:job") == ["TellingTwice", "Telling"]
    assert len(set(await said("a:job_id"))) == 2


async def test_nothing_else_reaches_a_table(queue: Queue) -> None:
    with Request():
        await Final.dispatch("a")
        await Failing.dispatch_after(60, "a")
        await work(queue)
    (letter,) = await letters()
    assert len(await waiting()) == 1
    assert '"tenant":7' in letter["payload"]
    assert "canary" not in letter["payload"]
