"""Joins a provider with an API to the conformance suite, over TLS, and sends to its fake."""

import ssl
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, override

import httpx

from app.transports.contract import Address, Outcome
from app.transports.email.api_config import ApiConfig
from app.transports.email.api_transport import ApiTransport
from app.transports.http import http_client
from tests.fakes.api import FakeApi
from tests.fakes.smtp_certificates import LOOPBACK, certificate_for
from tests.fakes.twilio_faults import Fault, hang, hang_up
from tests.providers.email_provider import Arrival, Behaviour, EmailProvider
from tests.providers.emails import RECEIVER, an_email

SECRET = "swordfish-93741"
ADA = Address("ada@example.com", "Ada Lovelace")
LOUD = f"{RECEIVER.email} {SECRET} \a\x1b " + "no " * 1000

STUCK: dict[Behaviour, Fault] = {Behaviour.HANG_LATE: hang, Behaviour.DROP_LATE: hang_up}


def server_tls() -> ssl.SSLContext:
    return certificate_for(LOOPBACK).server_context()


def line(api: FakeApi, total: float = 10.0) -> dict[str, Any]:
    """Where the fake is, and limits in seconds."""
    return {
        "base_url": api.base_url,
        "connections": 4,
        "total_timeout": total,
        "connect_timeout": min(5.0, total / 2),
    }


def client_for(config: ApiConfig) -> httpx.AsyncClient:
    """A client that trusts the fake's certificate."""
    return http_client(
        connections=config.connections,
        connect_timeout=config.connect_timeout,
        total_timeout=config.total_timeout,
        trust=ssl.create_default_context(cafile=certificate_for(LOOPBACK).ca_file),
    )


class ApiAccount(EmailProvider):
    """``faults``: how the provider asks for another try and refuses."""

    secrets: ClassVar[tuple[str, ...]] = (SECRET,)
    most_connections: ClassVar[int | None] = 4
    kind: ClassVar[type[ApiTransport[Any]]]
    faults: ClassVar[Mapping[Behaviour, Fault]]

    def __init__(self, api: FakeApi) -> None:
        self.api = api

    @abstractmethod
    def config(self, **given: Any) -> ApiConfig: ...

    @abstractmethod
    def read_arrival(self, body: bytes) -> Arrival: ...

    @override
    def transport(self, total_timeout: float) -> ApiTransport[Any]:
        config = self.config(**line(self.api, total_timeout))
        return self.kind(config, client_for(config))

    @override
    async def behave(self, behaviour: Behaviour) -> Address:
        fault = {**STUCK, **self.faults}.get(behaviour)
        self.api.for_receiver = {RECEIVER.email: fault} if fault else {}
        if behaviour is Behaviour.CLOSED:
            await self.api.stop()
        elif behaviour is Behaviour.HANG_EARLY:
            await self.api.go_deaf()
        else:
            await self.api.start()
        return RECEIVER

    @property
    @override
    def arrivals(self) -> list[Arrival]:
        return [self.read_arrival(body) for body in self.api.bodies]

    @property
    @override
    def open_connections(self) -> int:
        return self.api.open_connections


async def send_one(
    api: FakeApi, transport: ApiTransport[Any], fault: Fault | None = None, **fields: Any
) -> Outcome:
    """What one email to Ada comes to."""
    api.next_sends = [fault] if fault else []
    try:
        return await transport.send(an_email(**({"receiver": ADA} | fields)), lambda: None)
    finally:
        await transport.close()
