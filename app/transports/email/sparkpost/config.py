"""How one SparkPost account is used: the configuration of the channel ``sparkpost``."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, override

from app.transports.email.api_config import ApiConfig

KEY = re.compile(r"[!-~]+")
NUMBER = re.compile(r"[0-9]{1,10}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SparkpostConfig(ApiConfig):
    """One account, or the subaccount with that number.

    ``sandbox``: SparkPost sends from its own sandbox domain, and very few messages.
    """

    name: ClassVar[str] = "SparkPost"
    prefix: ClassVar[str] = "SPARKPOST"
    address: ClassVar[str] = "https://api.sparkpost.com/api/v1"

    api_key: str = field(repr=False)
    subaccount: str = ""
    sandbox: bool = False

    @override
    def find_problems(self) -> Iterator[str]:
        if not KEY.fullmatch(self.api_key):
            yield "SPARKPOST_API_KEY must be an API key, without spaces."
        if self.subaccount and not NUMBER.fullmatch(self.subaccount):
            yield "SPARKPOST_SUBACCOUNT must be the number of a subaccount."
