"""Email by SMTP: the next hop's acceptance is the last that is heard of a message."""

import asyncio
import ssl
import time
from dataclasses import replace

from app.transports.contract import (
    AttemptRef,
    CannotTell,
    Check,
    Facts,
    Fails,
    Go,
    LeaseOver,
    LookUp,
    NotSent,
    OutboundEmail,
    Outcome,
    Rejected,
    Works,
)
from app.transports.email.mime import Letter, build_letter
from app.transports.email.smtp_config import NONE, SmtpConfig
from app.transports.email.smtp_connection import Clock
from app.transports.email.smtp_exchange import Progress, hand_over, open_envelope, unknown
from app.transports.email.smtp_pool import SmtpPool
from app.transports.email.smtp_replies import secret_forms
from app.transports.email.smtp_session import Client, Stopped, open_session, take_leave
from app.transports.email.tidy import tidy
from app.transports.email.unsendable import UnsendableEmail
from app.transports.email.weight import is_big

FACTS = Facts(name="smtp", method="email", reports=False)


class SmtpTransport:
    """One mail server. Belongs to the event loop that first sends with it."""

    def __init__(self, config: SmtpConfig, clock: Clock = time.monotonic) -> None:
        self._config = config
        self._secrets = secret_forms(config.username, config.password)
        self._context: ssl.SSLContext = config.tls_context()
        self._pool = SmtpPool(config, self._open_client, clock)

    @property
    def facts(self) -> Facts:
        return FACTS

    async def send(self, email: OutboundEmail, go: Go) -> Outcome:
        outcome = await self._send_in_time(email, go)
        return replace(outcome, text=tidy(outcome.text, self._secrets))

    async def find(self, attempt: AttemptRef) -> LookUp:
        return CannotTell("SMTP has no way to ask what became of a message.")

    async def check(self) -> Check:
        """Connect, encrypt and log in as for a message, then take leave."""
        config = self._config
        try:
            async with asyncio.timeout(config.total_timeout):
                client = await self._open_client()
                await take_leave(client)
        except Stopped as stopped:
            return Fails(tidy(stopped.outcome.text, self._secrets))
        except TimeoutError:
            return Fails(f"{config.server} did not answer in time.")
        tls = "in clear" if config.tls == NONE else "encrypted"
        login = f"took the login of {config.username}" if config.username else "wants no login"
        return Works(f"{config.server} answered, {tls}, and {login}.")

    async def close(self) -> None:
        await self._pool.close()

    async def _send_in_time(self, email: OutboundEmail, go: Go) -> Outcome:
        progress = Progress()
        try:
            async with asyncio.timeout(self._config.total_timeout):
                letter = await self._build(email)
                return await self._transmit(letter, go, progress)
        except Stopped as stopped:
            return stopped.outcome
        except UnsendableEmail as reason:
            return Rejected(str(reason))
        except LeaseOver:
            return NotSent("The time for this attempt was over before the message was sent.")
        except TimeoutError:
            if progress.content_begun:
                return unknown("no answer came in time")
            return NotSent("The mail server was not ready for the message in time.")

    async def _transmit(self, letter: Letter, go: Go, progress: Progress) -> Outcome:
        async with self._pool.take() as connection:
            await open_envelope(connection, letter)
            go()
            return await hand_over(connection, letter, progress)

    async def _build(self, email: OutboundEmail) -> Letter:
        build = (build_letter, email, self._config.message_id_domain, self._config.tag_header)
        if is_big(email):
            return await asyncio.to_thread(*build)
        return build_letter(*build[1:])

    async def _open_client(self) -> Client:
        return await open_session(self._config, self._context)
