"""A few connections, shared by all sends of one transport."""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from app.transports.contract import NotSent
from app.transports.email.smtp_config import SmtpConfig
from app.transports.email.smtp_connection import Clock, Connection, OpenClient
from app.transports.email.smtp_session import Stopped


class SmtpPool:
    """Never more than ``pool_size`` sockets, and none after :meth:`close`.

    What was used last is used next, so that in quiet times most places are empty.
    """

    def __init__(
        self, config: SmtpConfig, open_client: OpenClient, clock: Clock = time.monotonic
    ) -> None:
        self._closed = False
        self._free: asyncio.LifoQueue[Connection] = asyncio.LifoQueue()
        for _ in range(config.pool_size):
            self._free.put_nowait(Connection(config, open_client, clock))

    @asynccontextmanager
    async def take(self) -> AsyncGenerator[Connection]:
        """A connection for one message. Raises :class:`Stopped` once the pool is closed."""
        connection = await self._free.get()
        try:
            if self._closed:
                raise Stopped(NotSent("The connections to the mail server are closed."))
            yield connection
        finally:
            if connection.busy or self._closed:
                connection.drop()
            connection.busy = False
            self._free.put_nowait(connection)

    async def close(self) -> None:
        """Closes what is idle now; what is in use is closed when its message is over."""
        self._closed = True
        idle = [self._free.get_nowait() for _ in range(self._free.qsize())]
        try:
            await asyncio.gather(*(connection.quit() for connection in idle))
        finally:
            for connection in idle:
                self._free.put_nowait(connection)
