"""Servers that speak HTTP badly, or not at all, on real sockets of the loopback."""

import asyncio
import socket
import ssl
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

type Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
type Script = Callable[["Connection"], Awaitable[None]]

OK = b"HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok"


@dataclass
class RawServer:
    """``requests`` holds the first line of each request that was read whole."""

    url: str
    requests: list[bytes]
    connections: int = 0


@dataclass
class Connection:
    server: RawServer
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def read_request(self) -> bytes:
        head = await self.reader.readuntil(b"\r\n\r\n")
        for line in head.lower().split(b"\r\n"):
            if line.startswith(b"content-length:"):
                await self.reader.readexactly(int(line.partition(b":")[2]))
        self.server.requests.append(head.partition(b"\r\n")[0])
        return head

    async def write(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    def reset(self) -> None:
        """Close with RST in place of FIN."""
        option = struct.pack("ii", 1, 0)
        self.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, option)
        self.writer.transport.abort()


@asynccontextmanager
async def raw_server(script: Script, tls: ssl.SSLContext | None = None) -> AsyncIterator[RawServer]:
    server = RawServer("", [])

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server.connections += 1
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            await script(Connection(server, reader, writer))
        writer.close()

    listener = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
    port = listener.sockets[0].getsockname()[1]
    server.url = f"{'https' if tls else 'http'}://127.0.0.1:{port}/"
    try:
        yield server
    finally:
        listener.close()
        listener.close_clients()


@asynccontextmanager
async def deaf_server() -> AsyncIterator[str]:
    """A port whose backlog is full, so that a connection is never made. Its URL."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(0)
    port = listener.getsockname()[1]
    waiting: list[socket.socket] = []
    try:
        for _ in range(4):
            client = socket.socket()
            client.setblocking(False)
            with suppress(BlockingIOError):
                client.connect(("127.0.0.1", port))
            waiting.append(client)
        yield f"http://127.0.0.1:{port}/"
    finally:
        for open_socket in (*waiting, listener):
            open_socket.close()


async def answer_all(connection: Connection) -> None:
    while True:
        await connection.read_request()
        await connection.write(OK)


async def close_at_once(connection: Connection) -> None:
    """Accepts and closes before the request is read."""


async def close_after_reading(connection: Connection) -> None:
    await connection.read_request()


async def reset_after_reading(connection: Connection) -> None:
    await connection.read_request()
    connection.reset()


async def never_answer(connection: Connection) -> None:
    await connection.read_request()
    await asyncio.Event().wait()


async def speak_garbage(connection: Connection) -> None:
    await connection.read_request()
    await connection.write(b"220 mail.example.com ESMTP\r\n\r\n")


async def send_half_a_body(connection: Connection) -> None:
    await connection.read_request()
    await connection.write(b"HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\n{")


async def reset_in_the_body(connection: Connection) -> None:
    await send_half_a_body(connection)
    await asyncio.sleep(0.05)
    connection.reset()


async def stall_in_the_body(connection: Connection) -> None:
    await send_half_a_body(connection)
    await asyncio.Event().wait()


async def trickle(connection: Connection) -> None:
    """Sends a byte of the body now and then, for ever."""
    await connection.read_request()
    await connection.write(b"HTTP/1.1 201 Created\r\nContent-Length: 100000\r\n\r\n")
    while True:
        await connection.write(b" ")
        await asyncio.sleep(0.02)


async def answer_once_then_drop(connection: Connection) -> None:
    """Keeps the connection, and closes it when the second request was read."""
    await connection.read_request()
    await connection.write(OK)
    await connection.read_request()


async def answer_once_then_close(connection: Connection) -> None:
    """Closes the idle connection although it did not announce that."""
    await connection.read_request()
    await connection.write(OK)
