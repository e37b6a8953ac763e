"""Mailtrap in the conformance suite."""

import json
from collections.abc import Mapping
from typing import Any, ClassVar, override

from app.transports.email.api_transport import ApiTransport
from app.transports.email.mailtrap.config import MailtrapConfig
from app.transports.email.mailtrap.transport import MailtrapTransport
from tests.fakes.api import answer_with
from tests.fakes.twilio_faults import Fault
from tests.providers.api_account import LOUD, SECRET, ApiAccount
from tests.providers.email_provider import Arrival, Behaviour


def refuse(text: str = "", *, status: int = 400, **headers: str) -> Fault:
    return answer_with({"success": False, "errors": [text]}, status, **headers)


class MailtrapProvider(ApiAccount):
    kind: ClassVar[type[ApiTransport[Any]]] = MailtrapTransport
    faults: ClassVar[Mapping[Behaviour, Fault]] = {
        Behaviour.TRY_LATER: refuse("rate limit", status=429),
        Behaviour.REFUSE: refuse("'to' is invalid"),
        Behaviour.REFUSE_LOUDLY: refuse(LOUD, status=200),
    }

    @override
    def config(self, **given: Any) -> MailtrapConfig:
        return MailtrapConfig(api_token=SECRET, **given)

    @override
    def read_arrival(self, body: bytes) -> Arrival:
        message = json.loads(body)
        to, cc, bcc = (
            tuple(one["email"] for one in message.get(name, [])) for name in ("to", "cc", "bcc")
        )
        names = frozenset(name.lower() for name in message.get("headers", {}))
        return Arrival((*to, *cc, *bcc), to, cc, names, body)
