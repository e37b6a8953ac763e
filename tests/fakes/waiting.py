"""Waiting for what a user would see, and no longer than needed."""

import asyncio
import os
from collections.abc import Awaitable, Callable

BESIDE_OTHERS = 4
"""How much longer a test may take that runs beside others, on a machine with fewer cores."""


def patience(seconds: float) -> float:
    """The bound of what takes less than ``seconds`` on a machine that does nothing else."""
    return seconds * BESIDE_OTHERS if "PYTEST_XDIST_WORKER" in os.environ else seconds


async def until(
    holds: Callable[[], Awaitable[object]], *, seconds: float = 10.0, every: float = 0.02
) -> None:
    """Ask until the answer is true; raises ``TimeoutError`` when ``patience`` ends."""
    async with asyncio.timeout(patience(seconds)):
        while not await holds():  # noqa: ASYNC110 - other processes move what is waited for
            await asyncio.sleep(every)
