"""Lines between this process and hosts: what listens on one of them can be served from here."""

import asyncio
import contextlib
import os
import socket
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.fakes.hosts.network import Host


def socket_on(host: Host | None) -> socket.socket:
    """A socket on a host, usable from here; ``None`` is the machine itself.

    A socket stays in the namespace that its thread was in when it was made.
    """
    if host is None:
        return socket.socket()
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(_socket_in, host.file).result()


def _socket_in(namespace: Path) -> socket.socket:
    """In a thread that ends with this, so it need not come back."""
    with namespace.open() as file:
        os.setns(file.fileno(), os.CLONE_NEWNET)
    return socket.socket()


@contextlib.asynccontextmanager
async def line(
    at: Host | None, port: int, *, to: tuple[str, int], via: Host | None = None
) -> AsyncIterator[str]:
    """What connects to ``port`` on a host reaches ``to`` as if it came from ``via``.

    Yields where it listens, as ``address:port``.
    """

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.closing(writer), contextlib.suppress(OSError):
            out = socket_on(via)
            out.setblocking(False)
            await asyncio.get_running_loop().sock_connect(out, to)
            there, to_there = await asyncio.open_connection(sock=out)
            with contextlib.closing(to_there):
                await asyncio.gather(pass_on(reader, to_there), pass_on(there, writer))

    listener = socket_on(at)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((at.address if at else "127.0.0.1", port))
    server = await asyncio.start_server(serve, sock=listener)
    address, number = listener.getsockname()
    try:
        yield f"{address}:{number}"
    finally:
        server.close()
        server.close_clients()


async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()
    writer.close()
