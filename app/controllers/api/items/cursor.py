"""Where a page ended, as an opaque text.

It holds the sort keys of the last item and an HMAC-SHA256 (RFC 2104) over them and over what was
asked for. So a cursor that was changed, made up, or given by another list, order or filter is
refused, instead of leading somewhere unexpected.
"""

import base64
import binascii
import hashlib
import hmac
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from uuid import UUID

from app.controllers.api.problems import Problem
from app.models.queries.browsing.wanted import Key
from app.settings import AppSettings

PURPOSE = b"pillarbox: cursors of lists, 1"
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
KEYS, MAC = 24, 16
REFUSED = "Is no cursor of this list with these filters and this order: take `next` as it is."


def write(key: Key, asked: bytes) -> str:
    """The cursor of whatever comes after ``key`` in the list that was asked for so."""
    moment = (key.at - EPOCH) // MICROSECOND
    keys = moment.to_bytes(8, "big", signed=True) + key.id.bytes
    mac = _mac(next(_secrets()), asked, keys)
    return base64.urlsafe_b64encode(keys + mac).decode()


def read(cursor: str, asked: bytes) -> Key:
    """Raises :class:`Problem` 422 for a cursor that was not made for what is asked for."""
    try:
        raw = base64.b64decode(cursor, b"-_", validate=True)
    except binascii.Error, ValueError:
        raw = b""
    keys, mac = raw[:KEYS], raw[KEYS:]
    right = [hmac.compare_digest(_mac(secret, asked, keys), mac) for secret in _secrets()]
    if not any(right):
        raise Problem.invalid({"cursor": [REFUSED]})
    since = int.from_bytes(keys[:8], "big", signed=True)
    return Key(EPOCH + since * MICROSECOND, UUID(bytes=keys[8:]))


def _secrets() -> Iterator[bytes]:
    """Ours, then those that were ours before: a page may be turned while the key is changed."""
    settings = AppSettings()
    yield settings.key.encode()
    yield from (key.strip().encode() for key in settings.previous_keys.split(",") if key.strip())


def _mac(secret: bytes, asked: bytes, keys: bytes) -> bytes:
    derived = hmac.digest(secret, PURPOSE, hashlib.sha256)
    return hmac.digest(derived, keys + asked, hashlib.sha256)[:MAC]
