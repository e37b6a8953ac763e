"""How one Unisender Go account is used: the configuration of the channel ``unisender_go``."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, override

from app.transports.email.api_config import ApiConfig
from app.transports.http.signed import secrets_of

KEY = re.compile(r"[!-~]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class UnisenderGoConfig(ApiConfig):
    """One account, or one project of it, by whose API key reports are signed as well.

    ``webhook_key``: the key that signs, where that is another one than what sends: a project's key
    signs for its own webhooks, the account's for all others.
    """

    name: ClassVar[str] = "Unisender Go"
    prefix: ClassVar[str] = "UNISENDER_GO"
    address: ClassVar[str] = "https://go1.unisender.ru/ru/transactional/api/v1"
    signed_by: ClassVar[tuple[str, ...]] = ("UNISENDER_GO_API_KEY",)

    api_key: str = field(repr=False)
    webhook_key: str = field(default="", repr=False)
    previous_api_key: str = field(default="", repr=False)

    @property
    @override
    def takes_reports(self) -> bool:
        return True

    @property
    def signing_keys(self) -> tuple[str, ...]:
        return secrets_of(self.webhook_key or self.api_key, self.previous_api_key)

    @override
    def find_problems(self) -> Iterator[str]:
        if not KEY.fullmatch(self.api_key):
            yield "UNISENDER_GO_API_KEY must be an API key, without spaces."
        if self.webhook_key and not KEY.fullmatch(self.webhook_key):
            yield "UNISENDER_GO_WEBHOOK_KEY must be an API key, without spaces."
        if self.previous_api_key and not KEY.fullmatch(self.previous_api_key):
            yield "UNISENDER_GO_PREVIOUS_API_KEY must be an API key, without spaces."
