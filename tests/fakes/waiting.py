"""Waiting for what a user would see, and no longer than needed."""

import asyncio
from collections.abc import Awaitable, Callable


async def until(
    holds: Callable[[], Awaitable[object]], *, seconds: float = 10.0, every: float = 0.02
) -> None:
    """Ask until the answer is true; raises ``TimeoutError`` after ``seconds``."""
    async with asyncio.timeout(seconds):
        while not await holds():  # noqa: ASYNC110 - other processes move what is waited for
            await asyncio.sleep(every)
