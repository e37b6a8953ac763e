"""Email by Brevo's API.

Source: https://developers.brevo.com/reference/sendtransacemail
"""

from collections.abc import Mapping
from typing import ClassVar, override

from app.transports.contract import AttemptRef, CannotTell, Facts, LookUp, OutboundEmail, Outcome
from app.transports.email.api_transport import ApiTransport
from app.transports.email.brevo.answers import read_answer
from app.transports.email.brevo.config import BrevoConfig
from app.transports.email.brevo.facts import FACTS
from app.transports.email.brevo.message import write_message
from app.transports.email.brevo.search import PAGE, read_events
from app.transports.http import Answer


class BrevoTransport(ApiTransport[BrevoConfig]):
    FACTS: ClassVar[Facts] = FACTS

    @property
    @override
    def path(self) -> str:
        return "/smtp/email"

    @override
    def headers(self) -> Mapping[str, str]:
        return {"api-key": self.config.api_key}

    @override
    def write(self, email: OutboundEmail) -> bytes:
        return write_message(email, self.config)

    @override
    def read(self, answer: Answer, email: OutboundEmail) -> Outcome:
        return read_answer(answer, email, (self.config.api_key,))

    @override
    async def look_up(self, attempt: AttemptRef) -> LookUp:
        """Brevo's lists show no metadata, so that a message without an id can't be told apart."""
        if not attempt.message_id:
            return CannotTell("Brevo can't be asked for a message whose id is not known.")
        query = {"messageId": attempt.message_id, "limit": PAGE}
        answer = await self.get("/smtp/statistics/events", query)
        return read_events(answer, attempt, attempt.message_id)
