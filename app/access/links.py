"""Links that stand for a token for a minute, and for one attachment.

A link is made of the token's id, the second in which it ends, and a signature (HMAC-SHA256, RFC
2104) of both and of the attachment. It says nothing of the token's secret, and works only for as
long as the token does.
"""

import base64
import binascii
import hashlib
import hmac
import struct
import time
from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from app.settings import AppSettings

LIFETIME = 60
"""Seconds: as long as a person needs to click, or a program to follow."""

PURPOSE = b"pillarbox: links to attachments, 1"
PARTS = struct.Struct("!16sQ32s")
LENGTH = len(base64.urlsafe_b64encode(bytes(PARTS.size)).rstrip(b"="))


@dataclass(frozen=True, slots=True)
class Link:
    """``ends`` is a POSIX time."""

    text: str
    ends: int


def sign(token_id: UUID, attachment_id: UUID) -> Link:
    """A link for whoever has the token."""
    ends = int(time.time()) + LIFETIME
    [key, *_] = _keys()
    raw = PARTS.pack(token_id.bytes, ends, _mac(key, token_id, attachment_id, ends))
    return Link(base64.urlsafe_b64encode(raw).rstrip(b"=").decode(), ends)


def read(text: str, attachment_id: UUID) -> UUID | None:
    """The token that a link stands for; ``None`` if it isn't ours, not for this, or over."""
    try:
        raw = base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)
        key, ends, signature = PARTS.unpack(raw)
    except binascii.Error, ValueError, struct.error:
        return None
    token_id = UUID(bytes=key)
    macs = [_mac(key, token_id, attachment_id, ends) for key in _keys()]
    ours = any(hmac.compare_digest(mac, signature) for mac in macs)
    return token_id if ours and time.time() < ends else None


def _mac(key: bytes, token_id: UUID, attachment_id: UUID, ends: int) -> bytes:
    said = token_id.bytes + attachment_id.bytes + ends.to_bytes(8, "big")
    return hmac.digest(key, said, hashlib.sha256)


def _keys() -> Iterator[bytes]:
    """Of APP_KEY, and of the keys before it while they are still believed."""
    settings = AppSettings()
    for given in (settings.key, *settings.previous_keys.split(",")):
        if key := given.strip():
            # HKDF (RFC 5869): this key can't be used for anything else that APP_KEY protects.
            yield HKDF(hashes.SHA256(), 32, salt=None, info=PURPOSE).derive(key.encode())
