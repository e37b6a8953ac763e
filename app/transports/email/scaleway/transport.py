"""Email by Scaleway's API.

Source: https://www.scaleway.com/en/developers/api/transactional-email/
"""

from collections.abc import Mapping
from typing import ClassVar, override
from urllib.parse import quote

from app.transports.contract import AttemptRef, CannotTell, Facts, LookUp, OutboundEmail, Outcome
from app.transports.email.api_transport import ApiTransport
from app.transports.email.scaleway.answers import read_answer
from app.transports.email.scaleway.config import ScalewayConfig
from app.transports.email.scaleway.facts import FACTS
from app.transports.email.scaleway.message import write_message
from app.transports.email.scaleway.search import read_email
from app.transports.http import Answer


class ScalewayTransport(ApiTransport[ScalewayConfig]):
    FACTS: ClassVar[Facts] = FACTS

    @property
    @override
    def path(self) -> str:
        return self.config.path

    @override
    def headers(self) -> Mapping[str, str]:
        return {"X-Auth-Token": self.config.secret_key}

    @override
    def write(self, email: OutboundEmail) -> bytes:
        return write_message(email, self.config)

    @override
    def read(self, answer: Answer, email: OutboundEmail) -> Outcome:
        return read_answer(answer, email, (self.config.secret_key,))

    @override
    async def look_up(self, attempt: AttemptRef) -> LookUp:
        message_id = attempt.message_id
        if not message_id:
            return CannotTell("Scaleway can't be asked for a message whose id is not known.")
        answer = await self.get(f"{self.path}/{quote(message_id, safe='')}")
        return read_email(answer, attempt, message_id)
