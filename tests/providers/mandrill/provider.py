"""Mandrill in the conformance suite."""

import json
from collections.abc import Mapping
from typing import Any, ClassVar, override

from app.transports.email.api_transport import ApiTransport
from app.transports.email.mandrill.config import MandrillConfig
from app.transports.email.mandrill.transport import MandrillTransport
from tests.fakes.api import answer_with
from tests.fakes.twilio_faults import Fault
from tests.providers.api_account import LOUD, SECRET, ApiAccount
from tests.providers.email_provider import Arrival, Behaviour


def refuse(name: str, text: str = "", status: int = 500) -> Fault:
    """An error in Mandrill's form."""
    return answer_with({"status": "error", "code": -1, "name": name, "message": text}, status)


class MandrillProvider(ApiAccount):
    kind: ClassVar[type[ApiTransport[Any]]] = MandrillTransport
    faults: ClassVar[Mapping[Behaviour, Fault]] = {
        Behaviour.TRY_LATER: refuse("GeneralError"),
        Behaviour.REFUSE: refuse("ValidationError", "You must specify a from_email value"),
        Behaviour.REFUSE_LOUDLY: refuse("ValidationError", LOUD),
    }

    @override
    def config(self, **given: Any) -> MandrillConfig:
        return MandrillConfig(api_key=SECRET, **given)

    @override
    def read_arrival(self, body: bytes) -> Arrival:
        message = json.loads(body)["message"]
        by_kind = {kind: emails(message["to"], kind) for kind in ("to", "cc", "bcc")}
        return Arrival(
            receivers=tuple(one["email"] for one in message["to"]),
            to=by_kind["to"],
            cc=by_kind["cc"],
            header_names=frozenset(name.lower() for name in message.get("headers", {})),
            raw=body,
        )


def emails(receivers: list[dict[str, str]], kind: str) -> tuple[str, ...]:
    return tuple(one["email"] for one in receivers if one["type"] == kind)
