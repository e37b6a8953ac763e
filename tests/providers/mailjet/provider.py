"""Mailjet in the conformance suite."""

from collections.abc import Mapping
from typing import Any, ClassVar, override

from app.transports.email.api_transport import ApiTransport
from app.transports.email.mailjet.config import MailjetConfig
from app.transports.email.mailjet.transport import MailjetTransport
from tests.fakes.api import answer_with
from tests.fakes.mailjet import KEY, message_in
from tests.fakes.twilio_faults import Fault
from tests.providers.api_account import LOUD, SECRET, ApiAccount
from tests.providers.email_provider import Arrival, Behaviour


def fail(text: str = "", *, status: int = 400, **headers: str) -> Fault:
    """An error about everything."""
    body = {"ErrorIdentifier": "e", "ErrorCode": "mj-0001", "StatusCode": status}
    return answer_with(body | {"ErrorMessage": text}, status, **headers)


def refuse(text: str = "", *, inner: int = 400, status: int = 400, about: str = "To[0]") -> Fault:
    """An error about the message."""
    error = {"ErrorCode": "mj-0013", "StatusCode": inner, "ErrorMessage": text}
    message = {"Status": "error", "Errors": [{**error, "ErrorRelatedTo": [about]}]}
    return answer_with({"Messages": [message]}, status)


class MailjetProvider(ApiAccount):
    kind: ClassVar[type[ApiTransport[Any]]] = MailjetTransport
    faults: ClassVar[Mapping[Behaviour, Fault]] = {
        Behaviour.TRY_LATER: fail("too many requests", status=429),
        Behaviour.REFUSE: refuse('"nope" is an invalid email address.'),
        Behaviour.REFUSE_LOUDLY: refuse(LOUD),
    }

    @override
    def config(self, **given: Any) -> MailjetConfig:
        return MailjetConfig(api_key=KEY, secret_key=SECRET, **given)

    @override
    def read_arrival(self, body: bytes) -> Arrival:
        message = message_in(body)
        to, cc, bcc = (
            tuple(one["Email"] for one in message.get(name, [])) for name in ("To", "Cc", "Bcc")
        )
        names = frozenset(name.lower() for name in message.get("Headers", {}))
        return Arrival((*to, *cc, *bcc), to, cc, names, body)
