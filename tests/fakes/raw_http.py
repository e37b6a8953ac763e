"""Requests that no HTTP library would send, over a plain socket."""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

PATIENCE = 20.0
LENGTH = re.compile(rb"(?i)\r\ncontent-length: (\d+)")


@dataclass(frozen=True, slots=True)
class Raw:
    """What came back: all of it, its status (0: nothing came), and how many bytes we had sent."""

    status: int
    text: str
    sent: int


async def speak(
    url: str, head: str, pieces: AsyncIterator[bytes], *, to_the_end: bool = True
) -> Raw:
    """Send a head and pieces of a body for as long as the server listens; read what it says.

    ``to_the_end``: until it closes the connection, and not only until it has answered.
    """
    parts = urlsplit(url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    sent = 0
    reading = asyncio.create_task(_read(reader, to_the_end=to_the_end))
    try:
        writer.write(head.encode())
        with contextlib.suppress(ConnectionError):
            async for piece in pieces:
                if reading.done():
                    break
                writer.write(piece)
                await writer.drain()
                sent += len(piece)
        async with asyncio.timeout(PATIENCE):
            said = (await reading).decode("latin-1")
    finally:
        reading.cancel()
        writer.close()
    status = said.split(" ", 2)[1] if said.startswith("HTTP/") else "0"
    return Raw(int(status), said, sent)


async def _read(reader: asyncio.StreamReader, *, to_the_end: bool) -> bytes:
    said = bytearray()
    with contextlib.suppress(ConnectionError):
        while piece := await reader.read(65_536):
            said += piece
            if not to_the_end and _is_whole(said):
                break
    return bytes(said)


def _is_whole(said: bytearray) -> bool:
    start, ended, body = said.partition(b"\r\n\r\n")
    length = LENGTH.search(start)
    return bool(ended and length and len(body) >= int(length[1]))


def head(method: str, path: str, headers: Mapping[str, str]) -> str:
    lines = [f"{method} {path} HTTP/1.1", "host: x", *(f"{n}: {v}" for n, v in headers.items())]
    return "\r\n".join([*lines, "", ""])
