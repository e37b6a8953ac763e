"""SparkPost in the conformance suite."""

import json
from collections.abc import Mapping
from email.utils import getaddresses
from typing import Any, ClassVar, override

from app.transports.email.api_transport import ApiTransport
from app.transports.email.sparkpost.config import SparkpostConfig
from app.transports.email.sparkpost.transport import SparkpostTransport
from tests.fakes.api import answer_with
from tests.fakes.twilio_faults import Fault
from tests.providers.api_account import LOUD, SECRET, ApiAccount
from tests.providers.email_provider import Arrival, Behaviour


def refuse(code: str, text: str = "", status: int = 422, **headers: str) -> Fault:
    """An error in SparkPost's form."""
    errors = [{"message": "it is wrong", "description": text, "code": code}]
    return answer_with({"errors": errors}, status, **headers)


class SparkpostProvider(ApiAccount):
    kind: ClassVar[type[ApiTransport[Any]]] = SparkpostTransport
    faults: ClassVar[Mapping[Behaviour, Fault]] = {
        Behaviour.TRY_LATER: refuse("2101", "Exceed Sending Limit (daily)", 420),
        Behaviour.REFUSE: refuse("1400", "content object"),
        Behaviour.REFUSE_LOUDLY: refuse("1400", LOUD),
    }

    @override
    def config(self, **given: Any) -> SparkpostConfig:
        return SparkpostConfig(api_key=SECRET, **given)

    @override
    def read_arrival(self, body: bytes) -> Arrival:
        message = json.loads(body)
        headers = message["content"].get("headers", {})
        addresses = [one["address"] for one in message["recipients"]]
        return Arrival(
            receivers=tuple(one["email"] for one in addresses),
            to=emails(addresses[0].get("header_to", addresses[0]["email"])),
            cc=emails(headers.get("Cc", "")),
            header_names=frozenset(name.lower() for name in headers),
            raw=body,
        )


def emails(field: str) -> tuple[str, ...]:
    return tuple(address for _, address in getaddresses([field])) if field else ()
