"""What the configurations of providers that sign by a shared secret have in common."""

from dataclasses import dataclass, field
from typing import override

from app.transports.email.api_config import ApiConfig
from app.transports.http.signed import secrets_of


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedConfig(ApiConfig):
    """``webhook_secret``: what the provider signs its reports with, and the one before that while
    it is changed."""

    webhook_secret: str = field(default="", repr=False)
    previous_webhook_secret: str = field(default="", repr=False)

    @property
    @override
    def takes_reports(self) -> bool:
        return bool(self.webhook_secrets or self.webhook_logins)

    @property
    def webhook_secrets(self) -> tuple[str, ...]:
        return secrets_of(self.webhook_secret, self.previous_webhook_secret)
