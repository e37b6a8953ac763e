"""One run at a time for a key, as a courtesy: the truth is the row, and never this lock."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, override

from arvel.cache import CacheLock
from arvel.kernel.logging import LogManager
from arvel.queue.middleware import WithoutOverlapping as ArvelWithoutOverlapping
from arvel.support import cache

from app.jobs.faults import reach

PATIENCE = 1.0
"""Seconds that asking for the lock, or giving it back, may take."""


class WithoutOverlapping(ArvelWithoutOverlapping):
    """A run that finds ``key`` taken returns, since whoever holds it does the same work.

    A lock that can't be asked is no failure of the message: the run then goes on without it.

    Args:
        key: what must not run twice at once.
        expire: seconds after which the lock is free again whatever happened to its holder.
    """

    def __init__(self, key: str, expire: int = 60) -> None:
        if expire < 1:
            raise ValueError(f"A lock needs a time after which it is free; {expire} s is none.")
        super().__init__(key, expire)

    @override
    async def handle(self, job: Any, next_: Callable[[Any], Awaitable[Any]]) -> Any:
        lock = cache().lock(f"job_overlap:{self.key}", seconds=self.expire)
        if await _taken(lock):
            return None
        try:
            return await next_(job)
        finally:
            await reach("before_release")
            await _give_back(lock)


async def _taken(lock: CacheLock) -> bool:
    try:
        async with asyncio.timeout(PATIENCE):
            return not await lock.acquire()
    except Exception as error:
        _warn("lock_unavailable", error)
        return False


async def _give_back(lock: CacheLock) -> None:
    # Also when asking failed: the answer may have been lost after the lock was given.
    try:
        async with asyncio.timeout(PATIENCE):
            await lock.release()
    except Exception as error:
        _warn("lock_not_released", error)


def _warn(action: str, error: Exception) -> None:
    LogManager().channel("queue").warning(action, error=type(error).__name__)
