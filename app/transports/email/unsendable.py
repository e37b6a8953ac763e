"""What no provider could be handed, and the checks that find it."""

import re
import unicodedata

BREAKS = frozenset({"Cc", "Cs", "Zl", "Zp"})  # controls, lone surrogates, line and paragraph ends
FIELD_NAME = re.compile(r"[!-9;-~]{1,76}")
"""RFC 5322 section 2.2: printable ASCII without the colon."""

OURS = frozenset(
    {
        "arc-authentication-results",
        "arc-message-signature",
        "arc-seal",
        "authentication-results",
        "bcc",
        "cc",
        "date",
        "from",
        "message-id",
        "mime-version",
        "received",
        "reply-to",
        "return-path",
        "subject",
        "to",
        "x-metadata",
    }
)
OURS_BY_PREFIX = ("content-", "dkim-", "domainkey-", "resent-")


class UnsendableEmail(ValueError):
    """The email holds something that can't be written into a message. The text names the field."""


def require_one_line(field: str, value: str) -> str:
    """``value`` itself, or :class:`UnsendableEmail` when it could end a line or hide one."""
    if any(unicodedata.category(character) in BREAKS for character in value):
        raise UnsendableEmail(f"{field} contains a line break or another control character.")
    return value


def require_custom_header(name: str) -> str:
    """``name`` itself, unless it is no header name or one that only Pillarbox writes."""
    if not FIELD_NAME.fullmatch(name):
        raise UnsendableEmail("A custom header's name is not a header name (RFC 5322).")
    if is_ours(name):
        raise UnsendableEmail(f"The header {name} is written by Pillarbox and can't be set.")
    return name


def is_ours(name: str) -> bool:
    lowered = name.lower()
    return lowered in OURS or lowered.startswith(OURS_BY_PREFIX)
