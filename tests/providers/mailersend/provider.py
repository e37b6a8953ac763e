"""MailerSend in the conformance suite."""

import json
from collections.abc import Mapping
from typing import Any, ClassVar, override

from app.transports.email.api_transport import ApiTransport
from app.transports.email.mailersend.config import MailersendConfig
from app.transports.email.mailersend.transport import MailersendTransport
from tests.fakes.api import answer_with
from tests.fakes.twilio_faults import Fault
from tests.providers.api_account import LOUD, SECRET, ApiAccount
from tests.providers.email_provider import Arrival, Behaviour


def refuse(
    text: str = "", *, status: int = 422, field: str = "to.0.email", **headers: str
) -> Fault:
    body = {"message": "The given data was invalid.", "errors": {field: [text]}}
    return answer_with(body, status, **headers)


class MailersendProvider(ApiAccount):
    kind: ClassVar[type[ApiTransport[Any]]] = MailersendTransport
    faults: ClassVar[Mapping[Behaviour, Fault]] = {
        Behaviour.TRY_LATER: answer_with({"message": "Too Many Attempts."}, 429, retry_after="59"),
        Behaviour.REFUSE: refuse("The to.0.email must be a valid email address."),
        Behaviour.REFUSE_LOUDLY: refuse(LOUD),
    }

    @override
    def config(self, **given: Any) -> MailersendConfig:
        return MailersendConfig(api_token=SECRET, **given)

    @override
    def read_arrival(self, body: bytes) -> Arrival:
        message = json.loads(body)
        to, cc, bcc = (
            tuple(one["email"] for one in message.get(name, [])) for name in ("to", "cc", "bcc")
        )
        names = frozenset(header["name"].lower() for header in message.get("headers", []))
        return Arrival((*to, *cc, *bcc), to, cc, names, body)
