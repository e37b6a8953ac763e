"""Email by Mailgun's API.

Source: https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages
"""

import base64
from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, override

import httpx

from app.transports.contract import AttemptRef, Facts, LookUp, OutboundEmail, Outcome
from app.transports.email.api_transport import ApiTransport
from app.transports.email.mailgun.answers import read_answer
from app.transports.email.mailgun.config import MailgunConfig
from app.transports.email.mailgun.facts import FACTS
from app.transports.email.mailgun.message import content_type, write_message
from app.transports.email.mailgun.search import query_for, read_events
from app.transports.http import Answer


class MailgunTransport(ApiTransport[MailgunConfig]):
    FACTS: ClassVar[Facts] = FACTS

    @property
    @override
    def path(self) -> str:
        return f"/{self.config.domain}/messages"

    @property
    @override
    def facts(self) -> Facts:
        """Somebody may have left out the key, and protect reports by a password alone."""
        return replace(FACTS, signs_webhooks=bool(self.config.webhook_keys))

    @override
    def headers(self) -> Mapping[str, str]:
        login = base64.b64encode(f"api:{self.config.api_key}".encode()).decode()
        return {"Authorization": f"Basic {login}"}

    @override
    def write(self, email: OutboundEmail) -> bytes:
        return write_message(email, self.config)

    @override
    def _build(self, email: OutboundEmail) -> httpx.Request:
        request = super()._build(email)
        request.headers["Content-Type"] = content_type(email)
        return request

    @override
    def read(self, answer: Answer, email: OutboundEmail) -> Outcome:
        return read_answer(answer, email, (self.config.api_key,))

    @override
    async def look_up(self, attempt: AttemptRef) -> LookUp:
        answer = await self.get(f"/{self.config.domain}/events", query_for(attempt))
        return read_events(answer, attempt)
