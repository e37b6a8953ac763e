"""A pooler between us and PostgreSQL that passes user and database on, and no other setting."""

import asyncio
import contextlib
import struct
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

from local.ports import HOST

PASSED = {b"user", b"database"}
SSL_REQUEST = 80877103


@contextlib.asynccontextmanager
async def forgetful_pooler(database_url: str) -> AsyncIterator[str]:
    """The address at which the pooler serves this database."""
    behind = urlsplit(database_url)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server_reader, server_writer = await asyncio.open_connection(behind.hostname, behind.port)
        server_writer.write(forget(await read_startup(reader, writer)))
        await asyncio.gather(
            pump(reader, server_writer), pump(server_reader, writer), return_exceptions=True
        )

    server = await asyncio.start_server(serve, HOST, 0)
    port = server.sockets[0].getsockname()[1]
    try:
        yield database_url.replace(f":{behind.port}/", f":{port}/")
    finally:
        server.close()


async def read_startup(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
    """The parameters of the client's first message, after declining TLS if it asked."""
    while True:
        length, code = struct.unpack("!ii", await reader.readexactly(8))
        rest = await reader.readexactly(length - 8)
        if code != SSL_REQUEST:
            return rest
        writer.write(b"N")


def forget(parameters: bytes) -> bytes:
    words = parameters.rstrip(b"\0").split(b"\0")
    pairs = [(k, v) for k, v in zip(words[::2], words[1::2], strict=True) if k in PASSED]
    body = b"".join(k + b"\0" + v + b"\0" for k, v in pairs) + b"\0"
    return struct.pack("!ii", len(body) + 8, 3 << 16) + body


async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    finally:
        writer.close()
