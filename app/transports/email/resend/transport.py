"""Email by Resend's API.

Source: https://resend.com/docs/api-reference/emails/send-email
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, override
from urllib.parse import quote

import httpx

from app.transports.contract import (
    AttemptRef,
    CannotTell,
    Facts,
    Found,
    LookUp,
    OutboundEmail,
    Outcome,
)
from app.transports.email.api_transport import ApiTransport
from app.transports.email.resend.answers import read_answer
from app.transports.email.resend.config import ResendConfig
from app.transports.email.resend.events import event_of
from app.transports.email.resend.facts import FACTS
from app.transports.email.resend.message import write_message
from app.transports.http import Answer
from app.transports.http.objects import read_object, text_in

WITHOUT_METADATA = "-bare"


class ResendTransport(ApiTransport[ResendConfig]):
    FACTS: ClassVar[Facts] = FACTS

    @property
    @override
    def path(self) -> str:
        return "/emails"

    @property
    @override
    def facts(self) -> Facts:
        """Somebody may have left out the secret, and protect reports by a password alone."""
        return replace(FACTS, signs_webhooks=bool(self.config.webhook_secrets))

    @override
    def headers(self) -> Mapping[str, str]:
        return {"Authorization": f"Bearer {self.config.api_key}"}

    @override
    def write(self, email: OutboundEmail) -> bytes:
        return write_message(email)

    @override
    def read(self, answer: Answer, email: OutboundEmail) -> Outcome:
        return read_answer(answer, email, (self.config.api_key,))

    @override
    def _build(self, email: OutboundEmail) -> httpx.Request:
        request = super()._build(email)
        request.headers["Idempotency-Key"] = idempotency_key(email)
        return request

    @override
    async def look_up(self, attempt: AttemptRef) -> LookUp:
        """Resend's list shows no metadata, so that a message without an id can't be told apart."""
        if not attempt.message_id:
            return CannotTell("Resend can't be asked for a message whose id is not known.")
        answer = await self.get(f"/emails/{quote(attempt.message_id, safe='')}")
        return read_message(answer, attempt, attempt.message_id)


def idempotency_key(email: OutboundEmail) -> str:
    """A repetition without metadata has another content, and needs a key of its own."""
    return str(email.provider_key) + ("" if email.metadata else WITHOUT_METADATA)


def read_message(answer: Answer, attempt: AttemptRef, message_id: str) -> LookUp:
    """Resend tells the last event of a message, without its time."""
    message = read_object(answer.body) if answer.status == 200 else None
    last = text_in(message, "last_event") if message else ""
    if message is None or text_in(message, "id") != message_id or not last:
        return CannotTell(f"Resend does not show the message (HTTP {answer.status}).")
    told = {"email_id": message_id, "to": [attempt.recipient]}
    event = event_of({"type": f"email.{last}", "data": told})
    known = replace(event, item_key=attempt.item_id, attempt_key=attempt.attempt_id)
    return Found((known,), message_id)
