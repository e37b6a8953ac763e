"""How Unisender Go signs its reports: MD5 over the body in which the key stands for the signature.

It is weak, and the provider has no other one. Whoever sees reports can't find the key by it; a
password in the address is wanted as well where one is configured.
Source: https://godocs.unisender.ru/web-api-ref#callback-format
"""

import hashlib
import re
from collections.abc import Iterable

from app.transports.contract import WebhookRefused
from app.transports.http.objects import read_object, text_in
from app.transports.http.signed import require_match

MD5 = re.compile(r"[0-9a-f]{32}", re.IGNORECASE)


def require_signature(body: bytes, keys: Iterable[str]) -> None:
    """The bytes are left as they are: another spelling of the same JSON has another digest.

    Raises :class:`WebhookRefused`.
    """
    given = text_in(read_object(body) or {}, "auth")
    if not MD5.fullmatch(given) or body.count(given.encode()) != 1:
        raise WebhookRefused("the signature is missing or wrong")
    require_match([given.lower().encode()], [digest(body, given, key).encode() for key in keys])


def digest(body: bytes, written: str, key: str) -> str:
    signed = body.replace(written.encode(), key.encode(), 1)
    return hashlib.md5(signed, usedforsecurity=False).hexdigest()
