"""Texts that must be of some form: addresses, keys, files."""

import base64
import ipaddress
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from app.configuration.kinds import Text, Unfit
from app.transports.allowed import NotAnAllowance, read_allowances

KEY_BYTES = 32
"""AES-256, which arvel encrypts with."""

HOST = re.compile(r"[A-Za-z0-9.-]+|\[[A-Za-z0-9.:]+\]")


AMQP = ("amqp", "amqps")


def is_address(text: str, schemes: tuple[str, ...]) -> bool:
    """Whether this is a URL of one of the schemes, with a host and without white space."""
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        return False
    return parts.scheme in schemes and bool(parts.hostname) and not re.search(r"\s", text)


def is_plain_web_address(text: str) -> bool:
    parts = urlsplit(text) if is_address(text, ("http", "https")) else None
    return parts is not None and not (parts.query or parts.fragment or parts.username)


def are_web_addresses(text: str) -> bool:
    addresses = [part.strip() for part in text.split(",") if part.strip()]
    return bool(addresses) and all(map(is_plain_web_address, addresses))


def is_key(text: str) -> bool:
    """Whether arvel can encrypt with it: 32 bytes in base64, standard or urlsafe."""
    try:
        encoded = text.removeprefix("base64:").translate(str.maketrans("-_", "+/"))
        return len(base64.b64decode(encoded, validate=True)) == KEY_BYTES
    except ValueError:
        return False


def or_empty(check: Callable[[str], bool]) -> Callable[[str], bool]:
    return lambda text: not text or check(text)


WEB_ADDRESS = "a web address such as https://hooks.example.com"

PUBLIC_ADDRESSES = Text(f"{WEB_ADDRESS}, or several by comma", are_web_addresses)
SERVICE_ADDRESS = Text(WEB_ADDRESS, or_empty(is_plain_web_address))
CALLBACK_ADDRESS = Text(
    "a web address such as https://hooks.example.com/webhooks/sms/twilio",
    or_empty(lambda text: is_address(text, ("http", "https"))),
)
POSTGRES = Text(
    "an address such as postgresql://user:password@host:5432/database",
    lambda text: is_address(text, ("postgresql", "postgresql+asyncpg")),
)
REDIS = Text(
    "an address such as redis://:password@host:6379/0 (rediss:// with TLS)",
    lambda text: is_address(text, ("redis", "rediss")),
)
BROKER = Text(
    "an address such as redis://:password@host:6379/0 (rediss:// with TLS), or for RabbitMQ"
    " amqp://user:password@host:5672/vhost (amqps:// with TLS)",
    lambda text: is_address(text, ("redis", "rediss", *AMQP)),
)
HOST_NAME = Text("a host name or an IP address", or_empty(lambda t: bool(HOST.fullmatch(t))))
CERTIFICATES = Text("a file that can be read", or_empty(lambda text: Path(text).is_file()))
KEY = Text("a key as `arvel key:generate` makes it: 32 bytes in base64", or_empty(is_key))
KEYS = Text(
    "keys as `arvel key:generate` makes them, by comma",
    lambda text: all(is_key(part.strip()) for part in text.split(",") if part.strip()),
)


@dataclass(frozen=True, slots=True)
class Allowances:
    shape: str = "addresses, @domains, numbers or *, by comma"

    def read(self, value: object) -> str:
        text = Text(self.shape).read(value)
        for position, entry in enumerate(text.split(","), 1):
            try:
                read_allowances(entry)
            except NotAnAllowance:
                raise Unfit(f"{self.shape}; entry {position} is none of these") from None
        return text


@dataclass(frozen=True, slots=True)
class Proxies:
    """What config/app.py makes of the setting: a list."""

    shape: str = "IP addresses by comma, or *"

    def read(self, value: object) -> list[str]:
        proxies = [str(proxy) for proxy in cast("list[Any]", value)]
        if proxies == ["*"] or all(map(_is_ip, proxies)):
            return proxies
        raise Unfit(f"{self.shape}, without spaces; networks are not understood")


def _is_ip(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
