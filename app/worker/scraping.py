"""Who may read metrics."""

import hmac
import ipaddress
from collections.abc import Container

FORWARDED = ("X-Forwarded-For", "Forwarded", "Via")


def may_scrape(authorization: str, token: str, *, local: bool) -> bool:
    """With a token whoever brings it, in ``Authorization: Bearer``; without one this machine."""
    return has_token(authorization, token) if token else local


def has_token(authorization: str, token: str) -> bool:
    """Whether this header brings the token; nobody does while there is none."""
    scheme, _, brought = authorization.partition(" ")
    same = hmac.compare_digest(brought.strip().encode(), token.encode())
    return bool(token) and scheme.lower() == "bearer" and same


def is_local(peer: str, headers: Container[str]) -> bool:
    """Whether a request comes from this machine, and not through a proxy that runs on it."""
    if any(name in headers for name in FORWARDED):
        return False
    try:
        return ipaddress.ip_address(peer).is_loopback
    except ValueError:
        return False
