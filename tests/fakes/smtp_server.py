"""A real mail server on a free port, which can be told how to misbehave at each command."""

import asyncio
import socket
import ssl
import struct
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import SMTP as SMTP_POLICY
from email.policy import SMTPUTF8
from types import TracebackType
from typing import Self

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from tests.fakes.smtp_certificates import LOOPBACK, certificate_for

STARTTLS, IMPLICIT, NONE = "starttls", "implicit", "none"

type Answer = str | Callable[[SMTP], Awaitable[str]]
"""A reply, or what to do instead of (or before) replying."""


@dataclass(frozen=True, slots=True)
class Mail:
    """One message as it reached the server, whatever the server answered."""

    sender: str
    receivers: tuple[str, ...]
    content: bytes
    options: tuple[str, ...] = ()

    @property
    def message(self) -> EmailMessage:
        policy = SMTP_POLICY if self.content.isascii() else SMTPUTF8
        return BytesParser(EmailMessage, policy=policy).parsebytes(self.content)

    @property
    def text(self) -> str:
        """The plain text, with the line ends of Python."""
        body = self.message.get_body(("plain",))
        return body.get_content().replace("\r\n", "\n") if body else ""


async def hang(_: SMTP) -> str:
    await asyncio.Event().wait()
    return ""


async def drop(server: SMTP) -> str:
    server.transport.abort()
    return await hang(server)


async def reset(server: SMTP) -> str:
    """Ends the connection with RST."""
    server.transport.get_extra_info("socket").setsockopt(
        socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)
    )
    return await drop(server)


@dataclass(slots=True)
class MailServer:
    """``answers`` by command (``EHLO``, ``MAIL``, ``RCPT``, ``DATA``: after the message).

    ``queues`` the same, one answer for each time, before ``answers`` counts again.
    """

    tls: str = STARTTLS
    username: str = ""
    password: str = ""
    size_limit: int | None = None
    smtputf8: bool = True
    certificate_host: str = LOOPBACK
    answers: dict[str, Answer] = field(default_factory=dict[str, Answer])
    queues: dict[str, list[Answer]] = field(default_factory=dict[str, list[Answer]])
    mails: list[Mail] = field(default_factory=list[Mail])
    commands: list[str] = field(default_factory=list[str])
    connections: set[SMTP] = field(default_factory=set[SMTP])
    sessions: int = 0
    most_at_once: int = 0
    taken: asyncio.Event = field(default_factory=asyncio.Event)
    port: int = 0
    _listener: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.stop()

    async def start(self) -> None:
        if self._listener is not None:
            return
        loop = asyncio.get_running_loop()
        context = certificate_for(self.certificate_host).server_context()
        self._listener = await loop.create_server(
            self._accept,
            LOOPBACK,
            self.port,
            ssl=context if self.tls == IMPLICIT else None,
        )
        self.port = self._listener.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """As a server that is killed: no farewell to anybody."""
        if self._listener is None:
            return
        self._listener.close()
        for connection in list(self.connections):
            connection.transport.abort()
        await self._listener.wait_closed()
        self._listener = None

    def _accept(self) -> SMTP:
        return Protocol(
            Commands(self),
            hostname="mail.fake.example",
            data_size_limit=self.size_limit,
            enable_SMTPUTF8=self.smtputf8,
            tls_context=self._starttls_context(),
            require_starttls=self.tls == STARTTLS,
            authenticator=self._authenticate if self.username else None,
            auth_required=bool(self.username),
            auth_require_tls=self.tls == STARTTLS,  # aiosmtpd does not see implicit TLS
        )

    def _starttls_context(self) -> ssl.SSLContext | None:
        if self.tls != STARTTLS:
            return None
        return certificate_for(self.certificate_host).server_context()

    def _authenticate(
        self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: object
    ) -> AuthResult:
        self.commands.append("AUTH")
        expected = LoginPassword(self.username.encode(), self.password.encode())
        return AuthResult(success=data == expected, handled=False)

    async def answer(self, command: str, server: SMTP, usual: str) -> str:
        queue = self.queues.get(command)
        answer = queue.pop(0) if queue else self.answers.get(command, usual)
        return answer if isinstance(answer, str) else await answer(server)


class Protocol(SMTP):
    """Counts the sockets that are open."""

    event_handler: Commands

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        owner = self.event_handler.owner
        if self not in owner.connections:
            owner.connections.add(self)
            owner.sessions += 1
            owner.most_at_once = max(owner.most_at_once, len(owner.connections))
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        self.event_handler.owner.connections.discard(self)
        super().connection_lost(error)


class Commands:
    """aiosmtpd's hooks."""

    def __init__(self, owner: MailServer) -> None:
        self.owner = owner

    async def handle_EHLO(
        self,
        server: SMTP,
        session: Session,
        envelope: Envelope,
        hostname: str,
        responses: Sequence[str],
    ) -> Sequence[str]:
        self.owner.commands.append(f"EHLO {hostname}")
        session.host_name = hostname
        answer = await self.owner.answer("EHLO", server, "")
        return [answer] if answer else responses

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        self.owner.commands.append(f"MAIL FROM:<{address}>")
        answer = await self.owner.answer("MAIL", server, "250 OK")
        if answer.startswith("250"):
            envelope.mail_from = address
            envelope.mail_options.extend(options)
        return answer

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        self.owner.commands.append(f"RCPT TO:<{address}>")
        answer = await self.owner.answer("RCPT", server, "250 OK")
        if answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        self.owner.commands.append("DATA")
        self.owner.mails.append(
            Mail(
                envelope.mail_from or "",
                tuple(envelope.rcpt_tos),
                bytes(envelope.original_content or b""),
                tuple(envelope.mail_options),
            )
        )
        self.owner.taken.set()
        return await self.owner.answer("DATA", server, "250 2.0.0 OK: queued as 4711")

    async def handle_NOOP(
        self, server: SMTP, session: Session, envelope: Envelope, argument: str
    ) -> str:
        self.owner.commands.append("NOOP")
        return await self.owner.answer("NOOP", server, "250 OK")

    async def handle_RSET(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        self.owner.commands.append("RSET")
        return await self.owner.answer("RSET", server, "250 OK")

    async def handle_QUIT(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        self.owner.commands.append("QUIT")
        return await self.owner.answer("QUIT", server, "221 Bye")
