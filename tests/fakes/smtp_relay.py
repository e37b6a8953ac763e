"""A network between client and server that can fail: what the client says no longer arrives."""

import asyncio
from contextlib import suppress
from types import TracebackType
from typing import Self

from tests.fakes.smtp_certificates import LOOPBACK


class Relay:
    """Passes bytes on to ``target`` until ``frozen``; notices when clients hang up all the same."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._listener: asyncio.Server | None = None
        self.frozen = False
        self.clients = 0
        self.port = 0

    async def __aenter__(self) -> Self:
        self._listener = await asyncio.start_server(self._serve, LOOPBACK, 0)
        self.port = self._listener.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._listener is not None:
            self._listener.close()
            self._listener.close_clients()
            await self._listener.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.clients += 1
        target_reader, target_writer = await asyncio.open_connection(LOOPBACK, self._target)
        back = asyncio.create_task(self._pass_on(target_reader, writer))
        with suppress(ConnectionError):
            await self._pass_on(reader, target_writer)
        self.clients -= 1
        back.cancel()
        for end in (writer, target_writer):
            end.close()

    async def _pass_on(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        while octets := await source.read(65536):
            if not self.frozen:
                sink.write(octets)
                await sink.drain()
