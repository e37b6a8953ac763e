"""How one server of a Postal installation is used: the configuration of the channel ``postal``."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, override

from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey

from app.transports.email.api_config import ApiConfig
from app.transports.email.postal.keys import read_key

KEY = re.compile(r"[!-~]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class PostalConfig(ApiConfig):
    """One mail server of an installation, which is somebody's own: ``base_url`` says where it is.

    ``public_key``: what the installation signs with, as ``postal default-dkim-record`` shows it.
    """

    name: ClassVar[str] = "Postal"
    prefix: ClassVar[str] = "POSTAL"
    address: ClassVar[str] = ""
    signed_by: ClassVar[tuple[str, ...]] = ("POSTAL_PUBLIC_KEY",)

    api_key: str = field(repr=False)
    public_key: str = ""
    previous_public_key: str = ""

    @property
    @override
    def takes_reports(self) -> bool:
        return bool(self.public_keys or self.webhook_logins)

    @property
    def public_keys(self) -> tuple[RSAPublicKey, ...]:
        keys = map(read_key, (self.public_key, self.previous_public_key))
        return tuple(key for key in keys if key is not None)

    @override
    def find_problems(self) -> Iterator[str]:
        if not KEY.fullmatch(self.api_key):
            yield "POSTAL_API_KEY must be an API credential of a mail server, without spaces."
        if not self.base_url:
            yield "POSTAL_BASE_URL must say where Postal is, such as https://postal.example.com."
        if self.public_key and read_key(self.public_key) is None:
            yield f"POSTAL_PUBLIC_KEY {NO_KEY}"
        if self.previous_public_key and read_key(self.previous_public_key) is None:
            yield f"POSTAL_PREVIOUS_PUBLIC_KEY {NO_KEY}"


NO_KEY = "must be an RSA key: the record that `postal default-dkim-record` shows, or PEM."
