"""Clocks that differ: due times, leases and signatures would mean different moments."""

import time
from collections.abc import Awaitable, Callable

from app.doctor.finding import Finding, ok, warning

MOST = 2.0
"""Seconds by which a clock may differ from this host's."""


async def compare(check: str, server: str, ask: Callable[[], Awaitable[float]]) -> list[Finding]:
    """``ask`` gives the server's time, in seconds since 1970."""
    before = time.time()
    there = await ask()
    after = time.time()
    return [judge(check, server, there - (before + after) / 2, (after - before) / 2)]


def judge(check: str, server: str, ahead: float, doubt: float = 0.0) -> Finding:
    """``ahead``: of this host, in seconds, known to ``doubt`` seconds."""
    if abs(ahead) - doubt <= MOST:
        return ok(check, f"{server} and this host agree to {abs(ahead):.1f} s.")
    side = "ahead of" if ahead > 0 else "behind"
    return warning(
        check,
        f"{server}'s clock is {abs(ahead):.1f} s {side} this host's.",
        "Let all hosts keep time by NTP.",
    )
