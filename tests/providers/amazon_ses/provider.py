"""Amazon SES in the conformance suite."""

import json
from collections.abc import Mapping
from typing import Any, ClassVar, override

from app.transports.email.amazon_ses.config import AmazonSesConfig
from app.transports.email.amazon_ses.transport import AmazonSesTransport
from app.transports.email.api_transport import ApiTransport
from tests.fakes.amazon_ses import KEY_ID, REGION, letter_in
from tests.fakes.api import answer_with
from tests.fakes.twilio_faults import Fault
from tests.providers.api_account import LOUD, SECRET, ApiAccount
from tests.providers.email_provider import Arrival, Behaviour
from tests.providers.reading import addresses_in


def refuse(name: str, text: str = "", *, status: int = 400, **headers: str) -> Fault:
    return answer_with({"message": text}, status, x_amzn_ErrorType=name, **headers)


class AmazonSesProvider(ApiAccount):
    kind: ClassVar[type[ApiTransport[Any]]] = AmazonSesTransport
    faults: ClassVar[Mapping[Behaviour, Fault]] = {
        Behaviour.TRY_LATER: refuse("TooManyRequestsException", "rate exceeded", status=429),
        Behaviour.REFUSE: refuse("MessageRejected", "Email address is not verified."),
        Behaviour.REFUSE_LOUDLY: refuse("MessageRejected", LOUD),
    }

    @override
    def config(self, **given: Any) -> AmazonSesConfig:
        return AmazonSesConfig(
            access_key_id=KEY_ID, secret_access_key=SECRET, region=REGION, **given
        )

    @override
    def read_arrival(self, body: bytes) -> Arrival:
        letter = letter_in(body)
        destination: dict[str, list[str]] = json.loads(body)["Destination"]
        receivers = [one for listed in destination.values() for one in listed]
        to, cc = (addresses_in(*letter.get_all(name, [])) for name in ("To", "Cc"))
        names = frozenset(name.lower() for name in letter)
        return Arrival(tuple(receivers), to, cc, names, body)
