"""Email by SparkPost's API.

Source: https://developers.sparkpost.com/api/transmissions/
"""

from collections.abc import Mapping
from typing import ClassVar, override

from app.transports.contract import AttemptRef, Facts, LookUp, OutboundEmail, Outcome
from app.transports.email.api_transport import ApiTransport
from app.transports.email.sparkpost.answers import read_answer
from app.transports.email.sparkpost.config import SparkpostConfig
from app.transports.email.sparkpost.facts import FACTS
from app.transports.email.sparkpost.message import write_message
from app.transports.email.sparkpost.search import question, read_events
from app.transports.http import Answer


class SparkpostTransport(ApiTransport[SparkpostConfig]):
    FACTS: ClassVar[Facts] = FACTS

    @property
    @override
    def path(self) -> str:
        return "/transmissions/"

    @override
    def headers(self) -> Mapping[str, str]:
        subaccount = self.config.subaccount
        account = {"X-MSYS-SUBACCOUNT": subaccount} if subaccount else {}
        return {"Authorization": self.config.api_key, **account}

    @override
    def write(self, email: OutboundEmail) -> bytes:
        return write_message(email, self.config)

    @override
    def read(self, answer: Answer, email: OutboundEmail) -> Outcome:
        return read_answer(answer, email, (self.config.api_key,))

    @override
    async def look_up(self, attempt: AttemptRef) -> LookUp:
        answer = await self.get("/events/message", question(attempt))
        return read_events(answer, attempt)
