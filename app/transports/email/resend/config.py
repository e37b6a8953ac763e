"""How one Resend account is used: the configuration of the channel ``resend``."""

import base64
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, override

from app.transports.email.signed_config import SignedConfig

KEY = re.compile(r"[!-~]+")
MARK = "whsec_"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResendConfig(SignedConfig):
    """One account. ``webhook_secret``: the signing secret of the webhook, as Resend shows it."""

    name: ClassVar[str] = "Resend"
    prefix: ClassVar[str] = "RESEND"
    address: ClassVar[str] = "https://api.resend.com"
    signed_by: ClassVar[tuple[str, ...]] = ("RESEND_WEBHOOK_SECRET",)

    api_key: str = field(repr=False)

    @override
    def find_problems(self) -> Iterator[str]:
        if not KEY.fullmatch(self.api_key):
            yield "RESEND_API_KEY must be an API key, without spaces."
        if self.webhook_secret and read_secret(self.webhook_secret) is None:
            yield f"RESEND_WEBHOOK_SECRET must be {MARK} and base64, as Resend shows it."
        if self.previous_webhook_secret and read_secret(self.previous_webhook_secret) is None:
            yield f"RESEND_PREVIOUS_WEBHOOK_SECRET must be {MARK} and base64, as Resend shows it."


def read_secret(secret: str) -> bytes | None:
    """The key that a secret stands for; ``None`` when it stands for none."""
    try:
        return base64.b64decode(secret.removeprefix(MARK), validate=True) or None
    except ValueError:
        return None
