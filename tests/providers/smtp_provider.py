"""SMTP's adapter for the conformance suite, and configurations for its other tests."""

from email.headerregistry import Address as HeaderAddress
from email.message import EmailMessage
from typing import Any, ClassVar, override

from app.transports.contract import Address
from app.transports.email.smtp import SmtpTransport
from app.transports.email.smtp_config import SmtpConfig
from tests.fakes.smtp_certificates import LOOPBACK, certificate_for
from tests.fakes.smtp_server import Answer, Mail, MailServer, drop, hang
from tests.providers.email_provider import Arrival, Behaviour, EmailProvider
from tests.providers.emails import RECEIVER

USERNAME = "pillarbox"
PASSWORD = "swordfish-93741"
ENCODED_PASSWORD = "c3dvcmRmaXNoLTkzNzQx"
ENCODED_LOGIN = "AHBpbGxhcmJveABzd29yZGZpc2gtOTM3NDE="

LOUD = f"550 5.7.1 AUTH PLAIN {ENCODED_LOGIN} {ENCODED_PASSWORD} {PASSWORD} \a\x1b " + "no " * 1000


def config_for(port: int, **changes: Any) -> SmtpConfig:
    """STARTTLS with a certificate that is checked, as in production."""
    values: dict[str, Any] = {
        "host": LOOPBACK,
        "port": port,
        "message_id_domain": "mail.example.com",
        "ca_file": certificate_for(LOOPBACK).ca_file,
        "pool_size": 4,
        "connect_timeout": min(5.0, changes.get("total_timeout", 30.0) / 2),
    }
    return SmtpConfig(**(values | changes))


def plain_config(port: int, **changes: Any) -> SmtpConfig:
    return config_for(port, **({"tls": "none", "ca_file": ""} | changes))


ANSWERS: dict[Behaviour, dict[str, Answer]] = {
    Behaviour.ACCEPT: {},
    Behaviour.TRY_LATER: {"RCPT": "450 4.2.1 The mailbox is busy"},
    Behaviour.REFUSE: {"RCPT": "550 5.1.1 No such user"},
    Behaviour.REFUSE_LOUDLY: {"RCPT": LOUD},
    Behaviour.HANG_EARLY: {"RCPT": hang},
    Behaviour.HANG_LATE: {"DATA": hang},
    Behaviour.DROP_LATE: {"DATA": drop},
    Behaviour.CLOSED: {},
}


class SmtpProvider(EmailProvider):
    secrets: ClassVar[tuple[str, ...]] = (PASSWORD, ENCODED_PASSWORD, ENCODED_LOGIN)
    most_connections: ClassVar[int | None] = 4

    def __init__(self, server: MailServer) -> None:
        self._server = server

    @override
    def transport(self, total_timeout: float) -> SmtpTransport:
        account = {"username": USERNAME, "password": PASSWORD}
        return SmtpTransport(config_for(self._server.port, total_timeout=total_timeout, **account))

    @override
    async def behave(self, behaviour: Behaviour) -> Address:
        self._server.answers = ANSWERS[behaviour]
        if behaviour is Behaviour.CLOSED:
            await self._server.stop()
        else:
            await self._server.start()
        return RECEIVER

    @property
    @override
    def arrivals(self) -> list[Arrival]:
        return [read_arrival(mail) for mail in self._server.mails]

    @property
    @override
    def open_connections(self) -> int:
        return len(self._server.connections)


def read_arrival(mail: Mail) -> Arrival:
    message = mail.message
    return Arrival(
        receivers=mail.receivers,
        to=addresses_in(message, "To"),
        cc=addresses_in(message, "Cc"),
        header_names=frozenset(name.lower() for name in message),
        raw=mail.content,
    )


def addresses_in(message: EmailMessage, name: str) -> tuple[str, ...]:
    found: tuple[HeaderAddress, ...] = message[name].addresses if message[name] else ()
    return tuple(address.addr_spec for address in found)
