"""Working through much in small pages, so that nobody else waits."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any

PAGE = 500
PAUSE = 0.05
"""Seconds between two pages."""
MOST = 100
"""Pages of one run: the next one goes on, and a worker that stops need not wait long."""


async def repeat(work: Callable[[], Awaitable[int]]) -> int:
    """Work page by page, until one isn't full; how much there was in all."""
    total = 0
    for _ in range(MOST):
        done = await work()
        total += done
        if done < PAGE:
            break
        await asyncio.sleep(PAUSE)
    return total


async def walk[K, R: Sequence[Any]](
    start: K, read: Callable[[K, int], Awaitable[Sequence[R]]]
) -> AsyncIterator[Sequence[R]]:
    """All pages of a table; ``read`` is given the key to go on after, the first of each row."""
    after = start
    while page := await read(after, PAGE):
        yield page
        after = page[-1][0]
        await asyncio.sleep(PAUSE)
