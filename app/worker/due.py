"""Publishes items that have come due, although no message of theirs is on the broker."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

from app.worker.outage import Outage

type PublishDue = Callable[[], Awaitable[float | None]]
"""Publishes; returns the seconds until the next item comes due, ``None`` when none will."""

SOON = 10.0
OFTEN = 1.0
SELDOM = 5.0
SOONEST = 0.1


class DueItems:
    """Looks each second while something is due within ten, else every five."""

    def __init__(self, publish_due: PublishDue) -> None:
        self._publish_due = publish_due
        self._nudged = asyncio.Event()
        self.looked = False

    def nudge(self) -> None:
        """Look at once: something has come due, or will soon."""
        self._nudged.set()

    async def run(self) -> None:
        outage = Outage("database")
        while True:
            try:
                wait = await self._publish_due()
                outage.over()
                self.looked = True
            except Exception as error:
                await outage.sit_out(error)
                continue
            await self._pause(pause_before(wait))

    async def _pause(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._nudged.wait(), seconds)
        self._nudged.clear()


def pause_before(wait: float | None) -> float:
    """How long to wait before looking again, when the next item comes due in ``wait`` seconds."""
    if wait is None or wait > SOON:
        return SELDOM
    return min(OFTEN, max(SOONEST, wait))
