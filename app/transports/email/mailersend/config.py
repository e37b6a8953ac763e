"""How one MailerSend account is used: the configuration of the channel ``mailersend``."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, override

from app.transports.email.signed_config import SignedConfig

TOKEN = re.compile(r"[!-~]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class MailersendConfig(SignedConfig):
    """One account. ``webhook_secret``: the signing secret of the webhook."""

    name: ClassVar[str] = "MailerSend"
    prefix: ClassVar[str] = "MAILERSEND"
    address: ClassVar[str] = "https://api.mailersend.com/v1"
    signed_by: ClassVar[tuple[str, ...]] = ("MAILERSEND_WEBHOOK_SECRET",)

    api_token: str = field(repr=False)

    @override
    def find_problems(self) -> Iterator[str]:
        if not TOKEN.fullmatch(self.api_token):
            yield "MAILERSEND_API_TOKEN must be an API token, without spaces."
