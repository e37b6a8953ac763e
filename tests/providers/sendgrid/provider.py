"""SendGrid in the conformance suite."""

import json
from collections.abc import Mapping
from typing import Any, ClassVar, override

from app.transports.email.api_transport import ApiTransport
from app.transports.email.sendgrid.config import SendgridConfig
from app.transports.email.sendgrid.transport import SendgridTransport
from tests.fakes.api import answer_with
from tests.fakes.twilio_faults import Fault
from tests.providers.api_account import LOUD, SECRET, ApiAccount
from tests.providers.email_provider import Arrival, Behaviour


def refuse(text: str = "", *, status: int = 400, field: str | None = None, **headers: str) -> Fault:
    errors = [{"message": text, "field": field, "help": None}]
    return answer_with({"errors": errors}, status, **headers)


class SendgridProvider(ApiAccount):
    kind: ClassVar[type[ApiTransport[Any]]] = SendgridTransport
    faults: ClassVar[Mapping[Behaviour, Fault]] = {
        Behaviour.TRY_LATER: refuse("too many requests", status=429),
        Behaviour.REFUSE: refuse(
            "Does not contain a valid address.", field="personalizations.0.to"
        ),
        Behaviour.REFUSE_LOUDLY: refuse(LOUD),
    }

    @override
    def config(self, **given: Any) -> SendgridConfig:
        return SendgridConfig(api_key=SECRET, **given)

    @override
    def read_arrival(self, body: bytes) -> Arrival:
        message = json.loads(body)
        [person] = message["personalizations"]
        to, cc, bcc = (
            tuple(one["email"] for one in person.get(name, [])) for name in ("to", "cc", "bcc")
        )
        names = frozenset(name.lower() for name in message.get("headers", {}))
        return Arrival((*to, *cc, *bcc), to, cc, names, body)
