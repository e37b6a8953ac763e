"""Email by SendGrid's API.

Source: https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send. A message can't be
asked for: the log of messages is searched by a language whose filters no page shows for our keys,
and an answer to a filter that SendGrid misreads would look like another message's.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, override

from app.transports.contract import Facts, OutboundEmail, Outcome
from app.transports.email.api_transport import ApiTransport
from app.transports.email.sendgrid.answers import read_answer
from app.transports.email.sendgrid.config import SendgridConfig
from app.transports.email.sendgrid.facts import FACTS
from app.transports.email.sendgrid.message import write_message
from app.transports.http import Answer


class SendgridTransport(ApiTransport[SendgridConfig]):
    FACTS: ClassVar[Facts] = FACTS

    @property
    @override
    def path(self) -> str:
        return "/mail/send"

    @property
    @override
    def facts(self) -> Facts:
        """Signing has to be switched on at SendGrid."""
        return replace(FACTS, signs_webhooks=bool(self.config.webhook_keys))

    @override
    def headers(self) -> Mapping[str, str]:
        return {"Authorization": f"Bearer {self.config.api_key}"}

    @override
    def write(self, email: OutboundEmail) -> bytes:
        return write_message(email, self.config)

    @override
    def read(self, answer: Answer, email: OutboundEmail) -> Outcome:
        secrets = (self.config.api_key,)
        return read_answer(answer, email, secrets, sandbox=self.config.sandbox)
