"""Signatures of webhooks by a secret that both sides know, and the time that they are good for."""

import hashlib
import hmac
import time
from collections.abc import Callable, Iterable

from app.transports.contract import WebhookRefused

type Clock = Callable[[], float]
"""Seconds since 1970."""

now: Clock = time.time


def hmac_sha256(secret: str, *parts: bytes) -> bytes:
    return hmac.digest(secret.encode(), b"".join(parts), hashlib.sha256)


def require_match(given: Iterable[bytes], right: Iterable[bytes]) -> None:
    """Raises :class:`WebhookRefused` unless one that was given is a right one, in the same time
    whichever it is."""
    expected = tuple(right)
    fits = [hmac.compare_digest(one, other) for one in given for other in expected]
    if not any(fits):
        raise WebhookRefused("the signature is missing or wrong")


def require_recent(written: str, clock: Clock, tolerance: float) -> None:
    """``written`` in seconds since 1970, at most ``tolerance`` seconds from now, either way.

    Raises :class:`WebhookRefused`.
    """
    if not (written.isascii() and written.isdigit() and len(written) <= 15):
        raise WebhookRefused("the time of the signature is missing or unreadable")
    if abs(clock() - int(written)) > tolerance:
        raise WebhookRefused("the signature is too old, or the clocks differ")


def secrets_of(*secrets: str) -> tuple[str, ...]:
    """Those that are set: an empty one would let anybody sign."""
    return tuple(secret for secret in secrets if secret)


def require_hex_signature(secrets: Iterable[str], signature: str, body: bytes) -> None:
    """HMAC-SHA256 of the whole body in hexadecimal. Raises :class:`WebhookRefused`."""
    right = [hmac_sha256(secret, body).hex().encode() for secret in secrets]
    require_match([signature.encode("utf-8", "replace")], right)
