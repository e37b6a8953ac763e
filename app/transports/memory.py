"""What all processes that take reports remember together, as long as somebody lends them a memory.

How it is kept is wired by ``app/providers``; here stands only what a webhook may ask.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

type Keep = Callable[[str, str, int], Awaitable[str]]
"""Keeps a text under a name for so many seconds unless there is one already, and says which one
there is now. Raises when it can't tell."""

PATIENCE = 1.0
"""Seconds: a memory that is away must not keep a provider waiting."""

_kept: dict[str, Keep] = {}


def use(keep: Keep) -> None:
    """Make ``keep`` the memory of this process."""
    _kept["memory"] = keep


async def first(name: str, text: str, seconds: int) -> str | None:
    """The text that was first kept under this name; ``None`` when nobody can tell."""
    keep = _kept.get("memory")
    if keep is None:
        return None
    with contextlib.suppress(Exception):
        async with asyncio.timeout(PATIENCE):
            return await keep(name, text, seconds)
    return None
