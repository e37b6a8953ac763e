"""How one Mailgun domain is used: the configuration of the channel ``mailgun``."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, override

from app.transports.email.api_config import ApiConfig
from app.transports.email.smtp_config import DOMAIN
from app.transports.http.signed import secrets_of

KEY = re.compile(r"[!-~]+")
REGIONS = {"us": "https://api.mailgun.net/v3", "eu": "https://api.eu.mailgun.net/v3"}

MAX_AGE = 24 * 3600
"""Seconds. A report is repeated for 8 hours, and nobody says whether it is then signed anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MailgunConfig(ApiConfig):
    """One domain. ``sandbox``: Mailgun takes messages in its test mode, and delivers none.

    ``webhook_key``: the account's HTTP webhook signing key, which is no API key.
    ``webhook_max_age``: seconds that a signature is believed, either way.
    """

    name: ClassVar[str] = "Mailgun"
    prefix: ClassVar[str] = "MAILGUN"
    address: ClassVar[str] = REGIONS["us"]
    signed_by: ClassVar[tuple[str, ...]] = ("MAILGUN_WEBHOOK_KEY",)

    api_key: str = field(repr=False)
    domain: str = ""
    region: str = "us"
    sandbox: bool = False
    webhook_key: str = field(default="", repr=False)
    previous_webhook_key: str = field(default="", repr=False)
    webhook_max_age: int = MAX_AGE

    @property
    @override
    def api(self) -> str:
        return (self.base_url or REGIONS[self.region]).rstrip("/")

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
            yield "MAILGUN_API_KEY must be an API key, without spaces."
        if not DOMAIN.fullmatch(self.domain):
            yield "MAILGUN_DOMAIN must be the sending domain at Mailgun, such as mg.example.com."
        if self.region not in REGIONS:
            yield "MAILGUN_REGION must be us or eu."
