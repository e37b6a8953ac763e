"""What a job holds goes on after the job."""

import asyncio

import pytest

from app.jobs.holds import hold, holding
from app.models.connections import open_transaction


async def work(done: list[str], gate: asyncio.Event) -> str:
    await gate.wait()
    done.append("done")
    return "result"


async def test_awaiter_that_is_cut_off_leaves_the_work_running() -> None:
    done: list[str] = []
    gate = asyncio.Event()
    with holding() as held:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(hold(work(done, gate)), 0.01)
        assert len(held) == 1
        gate.set()
        await asyncio.wait(held)
    assert done == ["done"]
    assert not held


async def test_result_and_error_reach_who_awaits() -> None:
    gate = asyncio.Event()
    gate.set()

    async def fail() -> None:
        raise ValueError("no")

    assert await hold(work([], gate)) == "result"
    with pytest.raises(ValueError, match="no"):
        await hold(fail())


async def test_work_does_not_see_the_transaction_of_its_caller() -> None:
    token = open_transaction.set("a connection")  # pyright: ignore[reportArgumentType]

    async def look() -> object:
        return open_transaction.get()

    try:
        assert await hold(look()) is None
    finally:
        open_transaction.reset(token)
