"""A place in the pool: at most one session with the mail server, opened anew when it must be."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

import aiosmtplib

from app.transports.contract import NotSent
from app.transports.email.smtp_config import SmtpConfig
from app.transports.email.smtp_session import QUIT_TIMEOUT, Client, Stopped

FAILURES = (aiosmtplib.SMTPException, OSError)

type OpenClient = Callable[[], Awaitable[Client]]
type Clock = Callable[[], float]


@dataclass(slots=True)
class Session:
    """``half_done``: the server may still hold an envelope that was refused later on."""

    client: Client
    opened: float
    used: float
    messages: int = 0
    half_done: bool = False


class Connection:
    """``busy`` from the first command of a message until the server's last word about it."""

    def __init__(self, config: SmtpConfig, open_client: OpenClient, clock: Clock) -> None:
        self.config = config
        self.busy = False
        self._open_client = open_client
        self._clock = clock
        self._session: Session | None = None

    @property
    def client(self) -> Client:
        if self._session is None:
            raise self.lost()
        return self._session.client

    async def prepare(self) -> bool:
        """Makes a session ready for a message; true when it has been used before.

        Raises :class:`Stopped` when no new one can be opened.
        """
        self.busy = True
        if await self._is_usable():
            return True
        await self.quit()
        client = await self._open_client()
        self._session = Session(client, opened=self._clock(), used=self._clock())
        return False

    async def _is_usable(self) -> bool:
        session = self._session
        if session is None or not session.client.is_connected or self._is_worn_out(session):
            return False
        try:
            if session.half_done:
                await session.client.rset()
            elif self._clock() - session.used > self.config.probe_after_idle:
                await session.client.noop()
        except FAILURES:
            self.drop()
            return False
        return True

    def _is_worn_out(self, session: Session) -> bool:
        age = self._clock() - session.opened
        return (
            age > self.config.session_lifetime
            or session.messages >= self.config.messages_per_session
        )

    async def say(self, *words: str) -> tuple[int, str]:
        """One command and its answer. Raises :class:`Stopped` when the session is lost."""
        try:
            return await self.client.execute_command(*(word.encode() for word in words))
        except FAILURES:
            raise self.lost() from None

    def lost(self) -> Stopped:
        text = f"The connection to {self.config.server} was lost before the message was sent."
        return Stopped(NotSent(text))

    def settle(self, *, half_done: bool = False) -> None:
        """The server has said its last word about a message: the session can take another."""
        self.busy = False
        if self._session is not None:
            self._session.messages += 1
            self._session.used = self._clock()
            self._session.half_done = half_done

    def drop(self) -> None:
        """Closes the socket at once, whatever the server is doing."""
        if self._session is not None:
            self._session.client.close()
            self._session = None

    async def quit(self) -> None:
        """Takes leave of the server, without waiting for long."""
        try:
            if self._session is not None and self._session.client.is_connected:
                with suppress(*FAILURES):
                    await self._session.client.quit(timeout=QUIT_TIMEOUT)
        finally:
            self.drop()
