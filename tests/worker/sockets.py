"""Servers that are no Redis: they accept and say nothing, or hang up when they are asked."""

import asyncio
import contextlib
import socket
import struct
from collections.abc import AsyncGenerator


def free_address() -> str:
    """Where nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"redis://127.0.0.1:{probe.getsockname()[1]}/0"


@contextlib.asynccontextmanager
async def silent() -> AsyncGenerator[str]:
    async with _server(_say_nothing) as address:
        yield address


@contextlib.asynccontextmanager
async def resetting() -> AsyncGenerator[str]:
    async with _server(_reset) as address:
        yield address


@contextlib.asynccontextmanager
async def _server(talk) -> AsyncGenerator[str]:
    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    try:
        yield f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}/0"
    finally:
        server.close()
        server.close_clients()


async def _say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read()
    writer.close()


async def _reset(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(1)
    linger = struct.pack("ii", 1, 0)
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    writer.transport.abort()
