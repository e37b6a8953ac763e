"""A step of somebody's transaction that has been taken and is not committed yet."""

import asyncio
import contextvars
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from types import ModuleType
from typing import Any

import pytest

from app.models import statements
from tests.fakes.waiting import until


@asynccontextmanager
async def held_after(
    module: ModuleType, step: str, work: Callable[[], Coroutine[Any, Any, Any]]
) -> AsyncIterator[None]:
    """Within the block ``work`` stands still right after it has taken ``step``, uncommitted.

    After the block it has gone on to its end.
    """
    reached, released = asyncio.Event(), asyncio.Event()
    original = getattr(module, step)

    async def take_and_stand_still(*args: Any) -> Any:
        result = await original(*args)
        reached.set()
        await released.wait()
        return result

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, step, take_and_stand_still)
        working = asyncio.create_task(work())
        try:
            async with asyncio.timeout(10):
                await reached.wait()
            yield
        finally:
            released.set()
            await working


async def begin(work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
    """Start something, which is now waiting for what is held."""
    task = asyncio.create_task(work)
    await until(somebody_waits)
    assert not task.done()
    return task


async def somebody_waits() -> bool:
    """Whether a connection waits for a lock of another one."""
    rows = await statements.run(
        "SELECT FROM pg_stat_activity WHERE datname = current_database()"
        " AND wait_event_type = 'Lock'"
    )
    return bool(rows)


async def meanwhile[T](work: Coroutine[Any, Any, T]) -> T:
    """Somebody else's work, outside the transaction that the caller has open."""
    return await asyncio.create_task(work, context=contextvars.Context())
