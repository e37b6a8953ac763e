"""Email by Mailtrap's API.

Source: https://api-docs.mailtrap.io/docs/mailtrap-api-docs. A message can't be asked for: whether
the log of emails shows metadata, no page says.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, override

from app.transports.contract import Facts, OutboundEmail, Outcome
from app.transports.email.api_transport import ApiTransport
from app.transports.email.mailtrap.answers import read_answer
from app.transports.email.mailtrap.config import MailtrapConfig
from app.transports.email.mailtrap.facts import FACTS
from app.transports.email.mailtrap.message import write_message
from app.transports.http import Answer


class MailtrapTransport(ApiTransport[MailtrapConfig]):
    FACTS: ClassVar[Facts] = FACTS

    @property
    @override
    def path(self) -> str:
        inbox = self.config.inbox_id
        return f"/api/send/{inbox}" if inbox else "/api/send"

    @property
    @override
    def facts(self) -> Facts:
        """Somebody may have left out the secret, and protect reports by a password alone."""
        return replace(FACTS, signs_webhooks=bool(self.config.webhook_secrets))

    @override
    def headers(self) -> Mapping[str, str]:
        return {"Api-Token": self.config.api_token}

    @override
    def write(self, email: OutboundEmail) -> bytes:
        return write_message(email)

    @override
    def read(self, answer: Answer, email: OutboundEmail) -> Outcome:
        secrets = (self.config.api_token,)
        return read_answer(answer, email, secrets, sandbox=bool(self.config.inbox_id))
