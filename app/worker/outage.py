"""Sits out the time in which a server is away: for ever, politely, and with one line in the log."""

import asyncio
import time

from app.worker.names import log

FIRST = 0.1
LONGEST = 5.0


class Outage:
    def __init__(self, server: str) -> None:
        self._server = server
        self._since: float | None = None
        self._pause = FIRST

    async def sit_out(self, error: BaseException) -> None:
        """Wait a little, longer each time."""
        if self._since is None:
            self._since = time.monotonic()
            log().warning("server_away", server=self._server, error=type(error).__name__)
        await asyncio.sleep(self._pause)
        self._pause = min(LONGEST, 2 * self._pause)

    def over(self) -> None:
        """The server answers."""
        if self._since is not None:
            seconds = round(time.monotonic() - self._since, 1)
            log().info("server_back", server=self._server, seconds=seconds)
        self._since = None
        self._pause = FIRST
