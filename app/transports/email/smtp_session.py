"""One open connection to a mail server: greeted, encrypted and logged in."""

import asyncio
import ssl
from contextlib import suppress
from typing import cast, override

import aiosmtplib

from app.transports.contract import NotSent, Outcome, Rejected, RejectKind
from app.transports.email.smtp_config import IMPLICIT, STARTTLS, SmtpConfig
from app.transports.email.smtp_replies import read_session_refusal

NOT_TLS = frozenset({"WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "PACKET_LENGTH_TOO_LONG"})
"""OpenSSL's reasons when the other side answers a handshake in plain text."""

UNKNOWN_MECHANISM = 504
QUIT_TIMEOUT = 1.0


class Stopped(Exception):
    """The call is over before the message was handed over; ``outcome`` says how."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(type(outcome).__name__)
        self.outcome = outcome


class Client(aiosmtplib.SMTP):
    """aiosmtplib's client, whose closing leaves no socket behind.

    Its own waits up to 30 s for the other side to close TLS, which a server that hangs never does.
    """

    @override
    def close(self) -> None:
        if self.transport is not None:
            cast("asyncio.WriteTransport", self.transport).abort()
        super().close()


async def open_session(config: SmtpConfig, context: ssl.SSLContext) -> Client:
    """Raises :class:`Stopped`: nothing was sent."""
    client = Client(
        hostname=config.host,
        port=config.port,
        local_hostname=config.our_name,
        timeout=None,  # the whole call has one
        use_tls=config.tls == IMPLICIT,
        start_tls=False,
        tls_context=context,
    )
    try:
        await client.connect(timeout=config.connect_timeout)
        await introduce(client, config)
    except (aiosmtplib.SMTPException, OSError) as error:
        client.close()
        raise Stopped(read_failure(error, config)) from None
    except BaseException:
        client.close()
        raise
    return client


async def take_leave(client: Client) -> None:
    """QUIT, whatever the server says to it."""
    try:
        with suppress(aiosmtplib.SMTPException, OSError):
            await client.quit(timeout=QUIT_TIMEOUT)
    finally:
        client.close()


async def introduce(client: Client, config: SmtpConfig) -> None:
    await client.ehlo()
    if config.tls == STARTTLS:
        if not client.supports_extension("starttls"):
            raise misconfigured(f"{config.server} does not offer STARTTLS, which is required.")
        await client.starttls()
        await client.ehlo()
    if config.username:
        await log_in(client, config)


async def log_in(client: Client, config: SmtpConfig) -> None:
    """By the first mechanism that the server really has; a wrong password is tried only once."""
    if client.get_transport_info("sslcontext") is None:
        raise misconfigured("A password is never sent over a connection that is not encrypted.")
    mechanisms = {"plain": client.auth_plain, "login": client.auth_login}
    mechanisms["cram-md5"] = client.auth_crammd5
    for name, authenticate in mechanisms.items():
        if name not in client.server_auth_methods:
            continue
        try:
            await authenticate(config.username, config.password)
        except aiosmtplib.SMTPAuthenticationError as error:
            if error.code != UNKNOWN_MECHANISM:
                raise
        else:
            return
    raise misconfigured(f"{config.server} offers no way to log in with a user name and password.")


def misconfigured(text: str) -> Stopped:
    return Stopped(Rejected(text, kind=RejectKind.CONFIGURATION))


def read_failure(error: Exception, config: SmtpConfig) -> Outcome:
    if isinstance(error, aiosmtplib.SMTPResponseException):
        refusal = read_session_refusal(error.code, error.message)
        return refusal or NotSent(f"{config.server} gave an answer that is not SMTP.")
    reason = error.__cause__ or error
    if isinstance(reason, ssl.SSLCertVerificationError):
        return misconfigured(
            f"The certificate of {config.server} is not valid: {reason.verify_message}"
        ).outcome
    if isinstance(reason, ssl.SSLError) and reason.reason in NOT_TLS:
        return misconfigured(f"{config.server} does not speak TLS from the first byte on.").outcome
    return NotSent(f"No connection to {config.server}: {describe(reason)}")


def describe(reason: BaseException) -> str:
    """The system's words for a failure; an exception's own text may quote what was sent."""
    if isinstance(reason, TimeoutError):
        return "no answer in time"
    if isinstance(reason, OSError) and reason.strerror:
        return reason.strerror
    if isinstance(reason, ConnectionError):
        return "it was closed"
    return "none of its addresses answered"
