"""The network between a host and its server: it can be parted, so that nobody hears anything."""

import asyncio
import contextlib
from collections.abc import AsyncIterator


class Link:
    """Where ``port`` listens, what is said to it reaches the server, unless the link is parted.

    A parted network answers nothing at all: connections stay as they are, and no end of them is
    told of what the other one says.
    """

    def __init__(self, server: tuple[str, int]) -> None:
        self._server = server
        self._whole = asyncio.Event()
        self._whole.set()
        self._talks: set[asyncio.Task[None]] = set()
        self.port = 0

    def part(self) -> None:
        self._whole.clear()

    def mend(self) -> None:
        """Let what is said from now on pass; what waited for an answer meanwhile is lost."""
        for talk in self._talks:
            talk.cancel()
        self._whole.set()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talk = asyncio.current_task()
        assert talk is not None
        self._talks.add(talk)
        try:
            await self._whole.wait()
            there, to_server = await asyncio.open_connection(*self._server)
            with contextlib.closing(to_server):
                await asyncio.gather(self._pass(reader, to_server), self._pass(there, writer))
        except asyncio.CancelledError, OSError:
            pass
        finally:
            self._talks.discard(talk)
            writer.close()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            await self._whole.wait()
            writer.write(data)
            await writer.drain()
        writer.close()


@contextlib.asynccontextmanager
async def link_to(host: str, port: int) -> AsyncIterator[Link]:
    """A link to a server, with an address of its own."""
    link = Link((host, port))
    server = await asyncio.start_server(link._serve, "127.0.0.1", 0)
    link.port = server.sockets[0].getsockname()[1]
    try:
        yield link
    finally:
        server.close()
        link.mend()
