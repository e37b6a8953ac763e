"""Scaleway in the conformance suite."""

import json
from collections.abc import Mapping
from typing import Any, ClassVar, override

from app.transports.email.api_transport import ApiTransport
from app.transports.email.scaleway.config import ScalewayConfig
from app.transports.email.scaleway.transport import ScalewayTransport
from tests.fakes.api import answer_with
from tests.fakes.twilio_faults import Fault
from tests.providers.api_account import LOUD, SECRET, ApiAccount
from tests.providers.email_provider import Arrival, Behaviour


def refuse(kind: str, text: str = "", status: int = 400, **headers: str) -> Fault:
    """An error in Scaleway's form."""
    return answer_with({"type": kind, "message": text}, status, **headers)


class ScalewayProvider(ApiAccount):
    kind: ClassVar[type[ApiTransport[Any]]] = ScalewayTransport
    faults: ClassVar[Mapping[Behaviour, Fault]] = {
        Behaviour.TRY_LATER: refuse("too_many_requests", status=429),
        Behaviour.REFUSE: refuse("invalid_arguments", "invalid argument(s)"),
        Behaviour.REFUSE_LOUDLY: refuse("invalid_arguments", LOUD),
    }

    @override
    def config(self, **given: Any) -> ScalewayConfig:
        return ScalewayConfig(secret_key=SECRET, project_id="proj-1", **given)

    @override
    def read_arrival(self, body: bytes) -> Arrival:
        message = json.loads(body)
        to, cc, bcc = (emails(message.get(name, [])) for name in ("to", "cc", "bcc"))
        names = {one["key"].lower() for one in message.get("additional_headers", [])}
        return Arrival((*to, *cc, *bcc), to, cc, frozenset(names), body)


def emails(addresses: list[dict[str, str]]) -> tuple[str, ...]:
    return tuple(address["email"] for address in addresses)
