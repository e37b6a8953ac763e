"""Postal in the conformance suite."""

import base64
import json
from collections.abc import Mapping
from email import message_from_bytes, policy
from email.utils import getaddresses
from typing import Any, ClassVar, override

from app.transports.email.api_transport import ApiTransport
from app.transports.email.postal.config import PostalConfig
from app.transports.email.postal.transport import PostalTransport
from tests.fakes.api import answer_with
from tests.fakes.twilio_faults import Fault, http
from tests.providers.api_account import LOUD, SECRET, ApiAccount
from tests.providers.email_provider import Arrival, Behaviour


def refuse(code: str | None, text: str = "", status: str = "error") -> Fault:
    """An error in Postal's form, with status 200."""
    data = {"message": text} | ({"code": code} if code else {})
    return answer_with({"status": status, "time": 0.0, "flags": {}, "data": data})


class PostalProvider(ApiAccount):
    kind: ClassVar[type[ApiTransport[Any]]] = PostalTransport
    faults: ClassVar[Mapping[Behaviour, Fault]] = {
        Behaviour.TRY_LATER: http(503),
        Behaviour.REFUSE: refuse("NoContent"),
        Behaviour.REFUSE_LOUDLY: refuse(None, LOUD, "parameter-error"),
    }

    @override
    def config(self, **given: Any) -> PostalConfig:
        return PostalConfig(api_key=SECRET, **given)

    @override
    def read_arrival(self, body: bytes) -> Arrival:
        request = json.loads(body)
        letter = message_from_bytes(base64.b64decode(request["data"]), policy=policy.default)
        return Arrival(
            receivers=tuple(request["rcpt_to"]),
            to=emails(letter["To"]),
            cc=emails(letter["Cc"]),
            header_names=frozenset(name.lower() for name in letter),
            raw=body,
        )


def emails(field: Any) -> tuple[str, ...]:
    return tuple(address for _, address in getaddresses([str(field)])) if field else ()
