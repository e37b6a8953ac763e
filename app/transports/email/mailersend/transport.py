"""Email by MailerSend's API.

Source: https://developers.mailersend.com/api/v1/email.html. A message can't be asked for: what the
API says of one is not reliable (django-anymail), and its list of activities shows no tags.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, override

from app.transports.contract import Facts, OutboundEmail, Outcome
from app.transports.email.api_transport import ApiTransport
from app.transports.email.mailersend.answers import read_answer
from app.transports.email.mailersend.config import MailersendConfig
from app.transports.email.mailersend.facts import FACTS
from app.transports.email.mailersend.message import write_message
from app.transports.http import Answer


class MailersendTransport(ApiTransport[MailersendConfig]):
    FACTS: ClassVar[Facts] = FACTS

    @property
    @override
    def path(self) -> str:
        return "/email"

    @property
    @override
    def facts(self) -> Facts:
        """Somebody may have left out the secret, and protect reports by a password alone."""
        return replace(FACTS, signs_webhooks=bool(self.config.webhook_secrets))

    @override
    def headers(self) -> Mapping[str, str]:
        return {
            "Authorization": f"Bearer {self.config.api_token}",
            "X-Requested-With": "XMLHttpRequest",
        }

    @override
    def write(self, email: OutboundEmail) -> bytes:
        return write_message(email)

    @override
    def read(self, answer: Answer, email: OutboundEmail) -> Outcome:
        return read_answer(answer, email, (self.config.api_token,))
