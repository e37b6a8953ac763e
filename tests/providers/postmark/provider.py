"""Postmark's adapter for the conformance suite, and configurations for its other tests."""

import json
import ssl
from email.utils import getaddresses
from typing import Any, ClassVar, override

from app.transports.contract import Address
from app.transports.email.postmark.config import PostmarkConfig
from app.transports.email.postmark.transport import PostmarkTransport
from app.transports.http import http_client
from tests.fakes.postmark.server import FakePostmark, refuse
from tests.fakes.smtp_certificates import LOOPBACK, certificate_for
from tests.fakes.twilio_faults import Fault, hang, hang_up
from tests.providers.email_provider import Arrival, Behaviour, EmailProvider
from tests.providers.emails import RECEIVER

TOKEN = "swordfish-93741"

LOUD = f"{RECEIVER.email} {TOKEN} \a\x1b " + "no " * 1000

FAULTS: dict[Behaviour, Fault] = {
    Behaviour.TRY_LATER: refuse(429, "Rate limit exceeded", status=429, **{"Retry-After": "7"}),
    Behaviour.REFUSE: refuse(300, "Invalid 'To' address: 'receiver@example.com'."),
    Behaviour.REFUSE_LOUDLY: refuse(300, LOUD),
    Behaviour.HANG_LATE: hang,
    Behaviour.DROP_LATE: hang_up,
}


def config_for(postmark: FakePostmark, **settings: Any) -> PostmarkConfig:
    given: dict[str, Any] = {
        "server_token": postmark.token,
        "base_url": postmark.base_url,
        "message_id_domain": "mail.example.com",
        "connections": 4,
        "total_timeout": 10.0,
    }
    given["connect_timeout"] = min(5.0, settings.get("total_timeout", 10.0) / 2)
    return PostmarkConfig(**(given | settings))


class PostmarkProvider(EmailProvider):
    secrets: ClassVar[tuple[str, ...]] = (TOKEN,)
    most_connections: ClassVar[int | None] = 4

    def __init__(self, postmark: FakePostmark) -> None:
        self._postmark = postmark

    @override
    def transport(self, total_timeout: float) -> PostmarkTransport:
        config = config_for(self._postmark, total_timeout=total_timeout)
        client = http_client(
            connections=config.connections,
            connect_timeout=config.connect_timeout,
            total_timeout=config.total_timeout,
            trust=ssl.create_default_context(cafile=certificate_for(LOOPBACK).ca_file),
        )
        return PostmarkTransport(config, client)

    @override
    async def behave(self, behaviour: Behaviour) -> Address:
        fault = FAULTS.get(behaviour)
        self._postmark.for_receiver = {RECEIVER.email: fault} if fault else {}
        if behaviour is Behaviour.CLOSED:
            await self._postmark.stop()
        elif behaviour is Behaviour.HANG_EARLY:
            await self._postmark.go_deaf()
        else:
            await self._postmark.start()
        return RECEIVER

    @property
    @override
    def arrivals(self) -> list[Arrival]:
        return [read_arrival(body) for body in self._postmark.bodies]

    @property
    @override
    def open_connections(self) -> int:
        return self._postmark.open_connections


def read_arrival(body: bytes) -> Arrival:
    message = json.loads(body)
    to, cc, bcc = (addresses_in(message.get(name, "")) for name in ("To", "Cc", "Bcc"))
    names = {header["Name"].lower() for header in message.get("Headers", [])}
    return Arrival(
        receivers=(*to, *cc, *bcc),
        to=to,
        cc=cc,
        header_names=frozenset(names | ({"bcc"} if bcc else set())),
        raw=body,
    )


def addresses_in(field: str) -> tuple[str, ...]:
    return tuple(address for _, address in getaddresses([field])) if field else ()
