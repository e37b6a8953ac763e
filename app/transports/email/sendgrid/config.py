"""How one SendGrid account is used: the configuration of the channel ``sendgrid``."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, override

from app.transports.email.api_config import ApiConfig
from app.transports.email.sendgrid.signature import read_key
from app.transports.http.signed import secrets_of

KEY = re.compile(r"[!-~]+")
REGIONS = {"global": "https://api.sendgrid.com/v3", "eu": "https://api.eu.sendgrid.com/v3"}
"""https://www.twilio.com/docs/sendgrid/api-reference/how-to-use-the-sendgrid-v3-api/regions"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SendgridConfig(ApiConfig):
    """One account. ``webhook_key``: the public key of the signed event webhook.

    ``region``: ``eu`` for a subuser in the EU. ``sandbox``: SendGrid checks messages and sends
    nothing.
    """

    name: ClassVar[str] = "SendGrid"
    prefix: ClassVar[str] = "SENDGRID"
    address: ClassVar[str] = REGIONS["global"]
    signed_by: ClassVar[tuple[str, ...]] = ("SENDGRID_WEBHOOK_KEY",)

    api_key: str = field(repr=False)
    region: str = "global"
    sandbox: bool = False
    webhook_key: str = ""
    previous_webhook_key: str = ""

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
            yield "SENDGRID_API_KEY must be an API key, without spaces."
        if self.region not in REGIONS:
            yield "SENDGRID_REGION must be global or eu."
        for name in ("webhook_key", "previous_webhook_key"):
            value: str = getattr(self, name)
            if value and read_key(value) is None:
                yield f"SENDGRID_{name.upper()} must be the verification key that SendGrid shows."
