"""Brevo in the conformance suite."""

import json
from collections.abc import Mapping
from typing import Any, ClassVar, override

from app.transports.email.api_transport import ApiTransport
from app.transports.email.brevo.config import BrevoConfig
from app.transports.email.brevo.transport import BrevoTransport
from tests.fakes.api import answer_with
from tests.fakes.twilio_faults import Fault
from tests.providers.api_account import LOUD, SECRET, ApiAccount
from tests.providers.email_provider import Arrival, Behaviour


def refuse(code: str, text: str = "", *, status: int = 400, **headers: str) -> Fault:
    return answer_with({"code": code, "message": text}, status, **headers)


class BrevoProvider(ApiAccount):
    kind: ClassVar[type[ApiTransport[Any]]] = BrevoTransport
    faults: ClassVar[Mapping[Behaviour, Fault]] = {
        Behaviour.TRY_LATER: refuse("too_many_requests", status=429),
        Behaviour.REFUSE: refuse("invalid_parameter", "to is not valid"),
        Behaviour.REFUSE_LOUDLY: refuse("invalid_parameter", LOUD),
    }

    @override
    def config(self, **given: Any) -> BrevoConfig:
        return BrevoConfig(api_key=SECRET, **given)

    @override
    def read_arrival(self, body: bytes) -> Arrival:
        message = json.loads(body)
        to, cc, bcc = (emails(message.get(name, [])) for name in ("to", "cc", "bcc"))
        names = {name.lower() for name in message.get("headers", {})}
        return Arrival((*to, *cc, *bcc), to, cc, frozenset(names), body)


def emails(addresses: list[dict[str, str]]) -> tuple[str, ...]:
    return tuple(address["email"] for address in addresses)
