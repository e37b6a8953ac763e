"""Email by the API of Amazon SES, version 2.

Source: https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, override

import httpx

from app.transports.contract import AttemptRef, CannotTell, Facts, LookUp, OutboundEmail, Outcome
from app.transports.email.amazon_ses.answers import read_answer
from app.transports.email.amazon_ses.config import AmazonSesConfig
from app.transports.email.amazon_ses.facts import FACTS
from app.transports.email.amazon_ses.insights import path_of, read_insights
from app.transports.email.amazon_ses.message import write_message
from app.transports.email.amazon_ses.signing import Signer
from app.transports.email.api_transport import ApiTransport
from app.transports.http import Answer


class AmazonSesTransport(ApiTransport[AmazonSesConfig]):
    FACTS: ClassVar[Facts] = FACTS

    def __init__(self, config: AmazonSesConfig, client: httpx.AsyncClient | None = None) -> None:
        super().__init__(config, client)
        self._signer = Signer(config)

    @property
    @override
    def path(self) -> str:
        return "/v2/email/outbound-emails"

    @property
    @override
    def facts(self) -> Facts:
        """Without topics nothing but a password protects reports."""
        return replace(FACTS, signs_webhooks=bool(self.config.topics))

    @override
    def headers(self) -> Mapping[str, str]:
        """Each request is signed by itself."""
        return {}

    @override
    def write(self, email: OutboundEmail) -> bytes:
        return write_message(email, self.config)

    @override
    def _build(self, email: OutboundEmail) -> httpx.Request:
        request = super()._build(email)
        self._signer.sign(request)
        return request

    @override
    async def _ask(self, request: httpx.Request) -> Answer:
        self._signer.sign(request)
        return await super()._ask(request)

    @override
    def read(self, answer: Answer, email: OutboundEmail) -> Outcome:
        secrets = (self.config.secret_access_key, self.config.session_token)
        return read_answer(answer, email, tuple(secret for secret in secrets if secret))

    @override
    async def look_up(self, attempt: AttemptRef) -> LookUp:
        """SES lists no messages, so that one whose id is not known can't be found."""
        if not attempt.message_id:
            return CannotTell("Amazon SES can't be asked for a message whose id is not known.")
        answer = await self.get(path_of(attempt.message_id))
        return read_insights(answer, attempt, attempt.message_id)
