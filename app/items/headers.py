"""Header fields that a caller may add to an email."""

import re
from collections.abc import Mapping
from typing import cast

from app.items.refusals import Problems, Refused
from app.items.texts import check_line
from app.transports.email.fields import LONGEST_WORD, longest_word

MOST = 50
LONGEST = 8000

NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,76}")

WRITTEN_BY_US = frozenset(
    {"from", "to", "cc", "bcc", "reply-to", "sender", "subject", "date", "message-id"}
    | {"mime-version", "apparently-to"}
)
WRITTEN_BY_SERVERS = frozenset(
    {"return-path", "received", "received-spf", "delivered-to", "x-original-to", "errors-to"}
    | {"authentication-results"}
)
READ_BY_PROVIDERS = frozenset({"x-metadata", "x-smtpapi"})
"""Orders to providers and their mail servers: a caller's would replace our tracking, or add copies
to others (``X-MC-BccAddress``, ``X-SMTPAPI``)."""

RESERVED = WRITTEN_BY_US | WRITTEN_BY_SERVERS | READ_BY_PROVIDERS
RESERVED_PREFIXES = (
    *("content-", "dkim-", "arc-", "resent-"),
    *("x-mailgun-", "x-mailin-", "x-mc-", "x-mj-", "x-msys-", "x-pm-", "x-ses-", "x-sib-"),
)


def check_headers(value: object, problems: Problems) -> dict[str, str]:
    """The headers that may be added; what is wrong with the others is noted in ``problems``."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        problems.add("headers", "Must map header names to texts.")
        return {}
    given = cast("Mapping[object, object]", value)
    if len(given) > MOST:
        problems.add("headers", f"Must be at most {MOST} headers.")
        return {}
    return check_each(given, problems)


def check_each(given: Mapping[object, object], problems: Problems) -> dict[str, str]:
    accepted: dict[str, str] = {}
    for position, (name, content) in enumerate(given.items()):
        field = f"headers.{name if is_name(name) else position}"
        header = problems.accept(field, check_header_name, name, "")
        if header.lower() in map(str.lower, accepted):
            problems.add(field, "Is given twice.")
        accepted[header] = problems.accept(field, check_header_value, content, "")
    return accepted


def is_name(name: object) -> bool:
    return isinstance(name, str) and NAME.fullmatch(name) is not None


def check_header_name(name: object) -> str:
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise Refused("A header name is letters, digits and hyphens, without a colon or space.")
    lower = name.lower()
    if lower in RESERVED or lower.startswith(RESERVED_PREFIXES):
        raise Refused("May not be set: it is written while the message is sent.")
    return name


def check_header_value(content: object) -> str:
    text = check_line(content, LONGEST)
    if longest_word(text) > LONGEST_WORD:
        raise Refused(f"Must hold no word of over {LONGEST_WORD} characters: it can't be folded.")
    return text
