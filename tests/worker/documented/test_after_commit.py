"""Jobs that wait for the commit of an open transaction."""

from contextlib import suppress

import pytest
from arvel.kernel import app

from app.worker.queue import Queue
from tests.worker.documented.jobs import Error, Report, Waiting
from tests.worker.documented.seen import queued, said, work


async def test_class_may_wait_for_every_commit(queue: Queue) -> None:
    async with app().make("db").transaction():
        assert await Waiting.dispatch("a") is None
        assert await queued() == {}
    assert await queued() == {"default": 1}


async def test_single_dispatch_may_wait(queue: Queue) -> None:
    async with app().make("db").transaction():
        assert await Report.dispatch_after_commit("a", value="v") is None
        assert await queued() == {}
    await work(queue)
    assert await said("a") == ["v"]


async def test_outside_a_transaction_nothing_waits(queue: Queue) -> None:
    assert await Waiting.dispatch("a") is not None
    assert await Report.dispatch_after_commit("a") is not None
    assert await queued() == {"default": 2}


async def test_rollback_drops_what_waits_and_nothing_else(queue: Queue) -> None:
    with suppress(Error):
        async with app().make("db").transaction():
            await Waiting.dispatch("a", "waited")
            await Report.dispatch("a", "did not wait")
            raise Error
    await work(queue)
    assert await said("a") == ["did not wait"]


async def test_callback_that_fails_after_the_commit_takes_no_job_with_it(queue: Queue) -> None:
    async def fail() -> None:
        raise Error("no")

    async def dispatch() -> None:
        async with app().make("db").transaction():
            await app().make("events").after_commit(fail)
            await Waiting.dispatch("a")

    with pytest.raises(Error, match="no"):
        await dispatch()
    assert await queued() == {"default": 1}
