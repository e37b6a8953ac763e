"""Email by Unisender Go's API.

Source: https://godocs.unisender.ru/web-api-ref#email-send. It can be asked about messages only by
an export that is made later, so ``find`` asks nothing.
"""

from collections.abc import Mapping
from typing import ClassVar, override

from app.transports.contract import Facts, OutboundEmail, Outcome
from app.transports.email.api_transport import ApiTransport
from app.transports.email.unisender_go.answers import read_answer
from app.transports.email.unisender_go.config import UnisenderGoConfig
from app.transports.email.unisender_go.facts import FACTS
from app.transports.email.unisender_go.message import write_message
from app.transports.http import Answer


class UnisenderGoTransport(ApiTransport[UnisenderGoConfig]):
    FACTS: ClassVar[Facts] = FACTS

    @property
    @override
    def path(self) -> str:
        return "/email/send.json"

    @override
    def headers(self) -> Mapping[str, str]:
        return {"X-API-KEY": self.config.api_key}

    @override
    def write(self, email: OutboundEmail) -> bytes:
        return write_message(email)

    @override
    def read(self, answer: Answer, email: OutboundEmail) -> Outcome:
        return read_answer(answer, email, (self.config.api_key,))
