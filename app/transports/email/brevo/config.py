"""How one Brevo account is used: the configuration of the channel ``brevo``."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, override

from app.transports.email.api_config import ApiConfig

KEY = re.compile(r"[!-~]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class BrevoConfig(ApiConfig):
    """One account. ``sandbox``: Brevo checks messages and drops them."""

    name: ClassVar[str] = "Brevo"
    prefix: ClassVar[str] = "BREVO"
    address: ClassVar[str] = "https://api.brevo.com/v3"

    api_key: str = field(repr=False)
    sandbox: bool = False

    @override
    def find_problems(self) -> Iterator[str]:
        if not KEY.fullmatch(self.api_key):
            yield "BREVO_API_KEY must be an API key, without spaces."
