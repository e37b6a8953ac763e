"""How one Mailjet account is used: the configuration of the channel ``mailjet``."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, override

from app.transports.email.api_config import ApiConfig

KEY = re.compile(r"[!-9;-~]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class MailjetConfig(ApiConfig):
    """One API key and its secret. ``sandbox``: Mailjet checks messages and sends nothing."""

    name: ClassVar[str] = "Mailjet"
    prefix: ClassVar[str] = "MAILJET"
    address: ClassVar[str] = "https://api.mailjet.com"

    api_key: str
    secret_key: str = field(default="", repr=False)
    sandbox: bool = False

    @override
    def find_problems(self) -> Iterator[str]:
        if not KEY.fullmatch(self.api_key):
            yield "MAILJET_API_KEY must be an API key, without spaces and colons."
        if not KEY.fullmatch(self.secret_key):
            yield "MAILJET_SECRET_KEY must be the secret of that key, without spaces and colons."
