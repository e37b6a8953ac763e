"""How one Mandrill account is used: the configuration of the channel ``mandrill``."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, override

from app.transports.email.api_config import ApiConfig
from app.transports.http.signed import secrets_of

KEY = re.compile(r"[!-~]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class MandrillConfig(ApiConfig):
    """One account, or a subaccount of it.

    ``webhook_key``: what Mandrill signs with; it shows it once the webhook is there.
    """

    name: ClassVar[str] = "Mandrill"
    prefix: ClassVar[str] = "MANDRILL"
    address: ClassVar[str] = "https://mandrillapp.com/api/1.0"
    signed_by: ClassVar[tuple[str, ...]] = ("MANDRILL_WEBHOOK_KEY",)

    api_key: str = field(repr=False)
    subaccount: str = ""
    webhook_key: str = field(default="", repr=False)
    previous_webhook_key: str = field(default="", repr=False)

    @property
    @override
    def takes_reports(self) -> bool:
        return bool(self.webhook_keys or self.webhook_logins)

    @property
    def webhook_keys(self) -> tuple[str, ...]:
        return secrets_of(self.webhook_key, self.previous_webhook_key)

    @override
    def find_problems(self) -> Iterator[str]:
        if not KEY.fullmatch(self.api_key):
            yield "MANDRILL_API_KEY must be an API key, without spaces."
        if any(not KEY.fullmatch(key) for key in self.webhook_keys):
            yield "MANDRILL_WEBHOOK_KEY must be the key that Mandrill shows beside the webhook."
