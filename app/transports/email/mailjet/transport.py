"""Email by Mailjet's API.

Source: https://dev.mailjet.com/email/reference/send-emails/
"""

import base64
from collections.abc import Mapping
from typing import ClassVar, override
from urllib.parse import quote

from app.transports.contract import AttemptRef, Facts, LookUp, OutboundEmail, Outcome
from app.transports.email.api_transport import ApiTransport
from app.transports.email.mailjet.answers import read_answer
from app.transports.email.mailjet.config import MailjetConfig
from app.transports.email.mailjet.facts import FACTS
from app.transports.email.mailjet.message import write_message
from app.transports.email.mailjet.search import PATH, query_for, read_messages
from app.transports.http import Answer


class MailjetTransport(ApiTransport[MailjetConfig]):
    FACTS: ClassVar[Facts] = FACTS

    @property
    @override
    def path(self) -> str:
        return "/v3.1/send"

    @override
    def headers(self) -> Mapping[str, str]:
        login = f"{self.config.api_key}:{self.config.secret_key}".encode()
        return {"Authorization": f"Basic {base64.b64encode(login).decode()}"}

    @override
    def write(self, email: OutboundEmail) -> bytes:
        return write_message(email, self.config)

    @override
    def read(self, answer: Answer, email: OutboundEmail) -> Outcome:
        secrets = (self.config.secret_key, self.config.api_key)
        return read_answer(answer, email, secrets, sandbox=self.config.sandbox)

    @override
    async def look_up(self, attempt: AttemptRef) -> LookUp:
        if attempt.message_id:
            answer = await self.get(f"{PATH}/{quote(attempt.message_id, safe='')}")
        else:
            answer = await self.get(PATH, query_for(attempt))
        return read_messages(answer, attempt)
