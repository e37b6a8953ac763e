"""Email by the API of a Postal installation.

Source: https://docs.postalserver.io/developer/api
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, override

from app.transports.contract import AttemptRef, CannotTell, Facts, LookUp, OutboundEmail, Outcome
from app.transports.email.api_transport import ApiTransport
from app.transports.email.postal.answers import read_answer
from app.transports.email.postal.config import PostalConfig
from app.transports.email.postal.facts import FACTS
from app.transports.email.postal.message import write_message
from app.transports.email.postal.search import is_number, read_deliveries
from app.transports.http import Answer
from app.transports.http.objects import write_object


class PostalTransport(ApiTransport[PostalConfig]):
    FACTS: ClassVar[Facts] = FACTS

    @property
    @override
    def facts(self) -> Facts:
        """Somebody may have left out the key, and protect reports by a password alone."""
        return replace(FACTS, signs_webhooks=bool(self.config.public_keys))

    @property
    @override
    def path(self) -> str:
        return "/api/v1/send/raw"

    @override
    def headers(self) -> Mapping[str, str]:
        return {"X-Server-API-Key": self.config.api_key}

    @override
    def write(self, email: OutboundEmail) -> bytes:
        return write_message(email, self.config)

    @override
    def read(self, answer: Answer, email: OutboundEmail) -> Outcome:
        return read_answer(answer, email, (self.config.api_key,))

    @override
    async def look_up(self, attempt: AttemptRef) -> LookUp:
        message_id = attempt.message_id
        if message_id is None or not is_number(message_id):
            return CannotTell("Postal can't be asked for a message whose number is not known.")
        asked = write_object({"id": int(message_id)})
        answer = await self.ask("/api/v1/messages/deliveries", asked)
        return read_deliveries(answer, attempt, message_id)
