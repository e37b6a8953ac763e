"""A way to a server that a test can cut, hold and mend."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from local.ports import HOST


class Cut:
    def __init__(self, port: int) -> None:
        self._to = port
        self._open: set[asyncio.StreamWriter] = set()
        self._passes = asyncio.Event()
        self._passes.set()
        self.port = 0

    def cut(self) -> None:
        """End every connection; new ones are let through."""
        for writer in list(self._open):
            writer.transport.abort()

    def hold(self) -> None:
        """Let nothing through any more, and end nothing: as a network does that is parted."""
        self._passes.clear()

    def mend(self) -> None:
        self._passes.set()

    async def pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(HOST, self._to)
        self._open |= {writer, back}
        try:
            await asyncio.gather(self._pump(reader, back), self._pump(there, writer))
        except OSError:
            pass
        finally:
            self._open -= {writer, back}
            for end in (writer, back):
                with contextlib.suppress(OSError):
                    end.close()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            await self._passes.wait()
            writer.write(data)
            await writer.drain()
        writer.transport.abort()


@asynccontextmanager
async def cutting(port: int) -> AsyncIterator[Cut]:
    way = Cut(port)
    server = await asyncio.start_server(way.pass_on, HOST, 0)
    way.port = server.sockets[0].getsockname()[1]
    try:
        yield way
    finally:
        way.mend()
        way.cut()
        server.close()
