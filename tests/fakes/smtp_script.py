"""A mail server that follows a script, for what no real server does on purpose."""

import asyncio
import socket
import struct
from collections.abc import Awaitable, Callable
from contextlib import suppress
from types import TracebackType
from typing import Self

from tests.fakes.smtp_certificates import LOOPBACK, certificate_for

CONNECT = "the connection"
STEPS = (
    ("EHLO", "250 mail.fake.example"),
    ("MAIL", "250 OK"),
    ("RCPT", "250 OK"),
    ("DATA", "354 go on"),
)

type Script = Callable[[Talk], Awaitable[None]]


class Talk:
    """The server's half of one connection."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, owner: ScriptedServer
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._owner = owner

    async def say(self, *lines: str) -> None:
        self._writer.write("".join(f"{line}\r\n" for line in lines).encode())
        await self._writer.drain()

    async def hear(self, command: str) -> str:
        """Waits for a line that begins with ``command``."""
        line = (await self._reader.readuntil(b"\r\n")).decode().rstrip()
        self._owner.heard.append(line)
        if not line.upper().startswith(command):
            self._owner.surprises.append(f"heard {line!r} instead of {command}")
        return line

    async def greet(self, *extensions: str) -> None:
        """As far as the answer to EHLO."""
        await self.say("220 mail.fake.example ESMTP")
        await self.hear("EHLO")
        lines = ("mail.fake.example", *extensions)
        await self.say(*(f"250-{line}" for line in lines[:-1]), f"250 {lines[-1]}")

    async def agree_until(self, step: str) -> None:
        """Does what one should until ``step`` was heard, and leaves it unanswered."""
        if step == CONNECT:
            return
        await self.say("220 mail.fake.example ESMTP")
        for heard, answer in STEPS:
            await self.hear(heard)
            if heard == step:
                return
            await self.say(answer)

    async def take_mail(self) -> None:
        """One message from MAIL on."""
        for heard, answer in STEPS[1:]:
            await self.hear(heard)
            await self.say(answer)
        await self.hear_message()
        await self.say("250 2.0.0 taken")

    async def hear_message(self) -> bytes:
        content = await self._reader.readuntil(b"\r\n.\r\n")
        self._owner.messages.append(content)
        return content

    async def hear_bytes(self, count: int) -> bytes:
        return await self._reader.readexactly(count)

    async def wait_for_end(self) -> None:
        """Hears everything and says nothing until the client leaves."""
        while rest := await self._reader.read(65536):
            self._owner.rest += rest

    async def see_off(self) -> None:
        """Agrees to anything but a message until the client leaves."""
        while line := await self._reader.readline():
            self._owner.heard.append(line.decode().rstrip())
            if line == b"QUIT\r\n":
                await self.say("221 Bye")
                return
            await self.say("250 OK")

    def reset(self) -> None:
        """Ends the connection with RST."""
        self._writer.get_extra_info("socket").setsockopt(
            socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)
        )
        self._writer.transport.abort()


class ScriptedServer:
    """Each connection follows the next script; the last one also serves all that follow.

    ``surprises``: where a client did not follow the script. ``rest``: what it said after its end.
    """

    def __init__(self, *scripts: Script, tls: bool = False) -> None:
        self._scripts = list(scripts)
        self._context = certificate_for(LOOPBACK).server_context() if tls else None
        self._listener: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self.heard: list[str] = []
        self.messages: list[bytes] = []
        self.surprises: list[str] = []
        self.rest = b""
        self.connections = 0
        self.port = 0

    @property
    def open_connections(self) -> int:
        return len(self._writers)

    async def __aenter__(self) -> Self:
        self._listener = await asyncio.start_server(
            self._serve, LOOPBACK, 0, limit=2**24, ssl=self._context
        )
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
            for writer in self._writers:
                writer.transport.abort()
            await self._listener.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self._writers.add(writer)
        script = self._scripts.pop(0) if len(self._scripts) > 1 else self._scripts[0]
        try:
            with suppress(asyncio.IncompleteReadError, ConnectionError):
                await script(Talk(reader, writer, self))
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()
            self._writers.discard(writer)
