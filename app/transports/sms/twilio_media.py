"""Which media addresses may be handed to Twilio, which fetches them itself."""

import re
from urllib.parse import urlsplit

LONGEST = 2048

PRIVATE_ENDINGS = frozenset(
    {"localhost", "local", "localdomain", "internal", "intranet", "lan", "home", "corp", "private"}
    | {"arpa", "onion", "invalid", "test"}
)
"""Last labels that name no public host (RFC 6761, 6762, 7686, 8375 and common private use)."""

HOST_NAME = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]")
"""A dotted name whose last label starts with a letter, so that it can't be read as a number."""


def find_media_problem(url: str) -> str | None:
    """Why ``url`` may not be sent as media, as the end of a sentence; None when it may.

    Nothing is resolved or fetched here: an address that points at us or at a private network must
    not even be written into a request.
    """
    if len(url) > LONGEST or not url.isascii() or not url.isprintable() or " " in url:
        return f"must be plain ASCII without spaces, at most {LONGEST} characters"
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").removesuffix("."), parts.port
    except ValueError:
        return "is not a valid address"
    if parts.scheme != "https":
        return "must begin with https://"
    if "@" in parts.netloc:
        return "must hold no user name or password"
    if port == 0 or not is_public_name(host):
        return "must name a public host, not a number or a private name"
    return None


def is_public_name(host: str) -> bool:
    if len(host) > 253 or not HOST_NAME.fullmatch(host):
        return False
    return host.rpartition(".")[2] not in PRIVATE_ENDINGS
