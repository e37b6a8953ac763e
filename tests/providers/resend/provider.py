"""Resend in the conformance suite."""

import json
from collections.abc import Mapping
from typing import Any, ClassVar, override

from app.transports.email.api_transport import ApiTransport
from app.transports.email.resend.config import ResendConfig
from app.transports.email.resend.transport import ResendTransport
from tests.fakes.api import answer_with
from tests.fakes.twilio_faults import Fault
from tests.providers.api_account import LOUD, SECRET, ApiAccount
from tests.providers.email_provider import Arrival, Behaviour
from tests.providers.reading import addresses_in


def refuse(name: str, text: str = "", *, status: int = 422, **headers: str) -> Fault:
    return answer_with({"statusCode": status, "name": name, "message": text}, status, **headers)


class ResendProvider(ApiAccount):
    kind: ClassVar[type[ApiTransport[Any]]] = ResendTransport
    faults: ClassVar[Mapping[Behaviour, Fault]] = {
        Behaviour.TRY_LATER: refuse("rate_limit_exceeded", status=429, retry_after="1"),
        Behaviour.REFUSE: refuse("validation_error", "Invalid `to` field."),
        Behaviour.REFUSE_LOUDLY: refuse("validation_error", LOUD),
    }

    @override
    def config(self, **given: Any) -> ResendConfig:
        return ResendConfig(api_key=SECRET, **given)

    @override
    def read_arrival(self, body: bytes) -> Arrival:
        message = json.loads(body)
        to, cc, bcc = (addresses_in(*message.get(name, [])) for name in ("to", "cc", "bcc"))
        names = frozenset(name.lower() for name in message.get("headers", {}))
        return Arrival((*to, *cc, *bcc), to, cc, names, body)
