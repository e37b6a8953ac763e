"""Mailgun in the conformance suite."""

from collections.abc import Mapping
from typing import Any, ClassVar, override

from app.transports.email.api_transport import ApiTransport
from app.transports.email.mailgun.config import MailgunConfig
from app.transports.email.mailgun.transport import MailgunTransport
from tests.fakes.api import answer_with
from tests.fakes.mailgun import DOMAIN, fields_of, texts_of
from tests.fakes.twilio_faults import Fault
from tests.providers.api_account import LOUD, SECRET, ApiAccount
from tests.providers.email_provider import Arrival, Behaviour
from tests.providers.reading import addresses_in


def refuse(text: str = "", *, status: int = 400, **headers: str) -> Fault:
    return answer_with({"message": text}, status, **headers)


class MailgunProvider(ApiAccount):
    kind: ClassVar[type[ApiTransport[Any]]] = MailgunTransport
    faults: ClassVar[Mapping[Behaviour, Fault]] = {
        Behaviour.TRY_LATER: refuse("Too many requests", status=429),
        Behaviour.REFUSE: refuse("to parameter is not a valid address."),
        Behaviour.REFUSE_LOUDLY: refuse(LOUD),
    }

    @override
    def config(self, **given: Any) -> MailgunConfig:
        return MailgunConfig(api_key=SECRET, domain=DOMAIN, **given)

    @override
    def read_arrival(self, body: bytes) -> Arrival:
        to, cc, bcc = (addresses_in(*texts_of(body, name)) for name in ("to", "cc", "bcc"))
        names = {name[2:].lower() for name, *_ in fields_of(body) if name.startswith("h:")}
        return Arrival((*to, *cc, *bcc), to, cc, frozenset(names), body)
