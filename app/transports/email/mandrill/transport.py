"""Email by Mandrill's API.

Source: https://mailchimp.com/developer/transactional/api/
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, override

from app.transports.contract import AttemptRef, Facts, LookUp, OutboundEmail, Outcome
from app.transports.email.api_transport import ApiTransport
from app.transports.email.mandrill.answers import read_answer
from app.transports.email.mandrill.config import MandrillConfig
from app.transports.email.mandrill.facts import FACTS
from app.transports.email.mandrill.message import write_message
from app.transports.email.mandrill.search import question, read_info, read_search
from app.transports.http import Answer
from app.transports.http.objects import write_object


class MandrillTransport(ApiTransport[MandrillConfig]):
    """The key stands in the body of each request."""

    FACTS: ClassVar[Facts] = FACTS

    @property
    @override
    def facts(self) -> Facts:
        """Somebody may have left out the key, and protect reports by a password alone."""
        return replace(FACTS, signs_webhooks=bool(self.config.webhook_keys))

    @property
    @override
    def path(self) -> str:
        return "/messages/send.json"

    @override
    def headers(self) -> Mapping[str, str]:
        return {}

    @override
    def write(self, email: OutboundEmail) -> bytes:
        return write_message(email, self.config)

    @override
    def read(self, answer: Answer, email: OutboundEmail) -> Outcome:
        return read_answer(answer, email, (self.config.api_key,))

    @override
    async def look_up(self, attempt: AttemptRef) -> LookUp:
        if attempt.message_id:
            answer = await self._ask_for("/messages/info.json", {"id": attempt.message_id})
            return read_info(answer, attempt)
        return read_search(await self._ask_for("/messages/search.json", question(attempt)), attempt)

    async def _ask_for(self, path: str, asked: Mapping[str, object]) -> Answer:
        return await self.ask(path, write_object({"key": self.config.api_key, **asked}))
