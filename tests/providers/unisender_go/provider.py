"""Unisender Go in the conformance suite."""

import json
from collections.abc import Mapping
from email.utils import getaddresses
from typing import Any, ClassVar, override

from app.transports.email.api_transport import ApiTransport
from app.transports.email.unisender_go.config import UnisenderGoConfig
from app.transports.email.unisender_go.transport import UnisenderGoTransport
from tests.fakes.api import answer_with
from tests.fakes.twilio_faults import Fault
from tests.providers.api_account import LOUD, SECRET, ApiAccount
from tests.providers.email_provider import Arrival, Behaviour


def refuse(code: int, text: str = "", status: int = 400, **headers: str) -> Fault:
    """An error in Unisender Go's form."""
    return answer_with({"status": "error", "code": code, "message": text}, status, **headers)


class UnisenderGoProvider(ApiAccount):
    kind: ClassVar[type[ApiTransport[Any]]] = UnisenderGoTransport
    faults: ClassVar[Mapping[Behaviour, Fault]] = {
        Behaviour.TRY_LATER: refuse(0, "Too many requests", 429),
        Behaviour.REFUSE: refuse(204, "Recipients list is empty"),
        Behaviour.REFUSE_LOUDLY: refuse(204, LOUD),
    }

    @override
    def config(self, **given: Any) -> UnisenderGoConfig:
        return UnisenderGoConfig(api_key=SECRET, **given)

    @override
    def read_arrival(self, body: bytes) -> Arrival:
        message = json.loads(body)["message"]
        headers = {name.lower(): value for name, value in message.get("headers", {}).items()}
        receivers = tuple(one["email"] for one in message["recipients"])
        to = emails(headers["to"]) if "to" in headers else receivers
        return Arrival(receivers, to, emails(headers.get("cc", "")), frozenset(headers), body)


def emails(field: str) -> tuple[str, ...]:
    return tuple(address for _, address in getaddresses([field])) if field else ()
