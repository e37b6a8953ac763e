"""Waiting for what happens elsewhere, by condition and never by guess."""

import asyncio
from collections.abc import Callable


async def eventually(holds: Callable[[], bool], within: float = 5.0) -> None:
    """Returns as soon as ``holds()``; fails after ``within`` seconds."""
    async with asyncio.timeout(within):
        while not holds():  # noqa: ASYNC110, the other side has no event to wait for
            await asyncio.sleep(0.005)
