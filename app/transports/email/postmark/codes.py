"""Postmark's error codes: what each means for a message. Data.

Source: https://postmarkapp.com/developer/api/overview#error-codes. A code that is not listed is
judged by the HTTP status that it came with.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from app.transports.email.refusals import Refusal


@dataclass(frozen=True, slots=True)
class ErrorCode:
    """``meaning`` completes "Postmark: …". ``quotes``: Postmark's own text says what is wrong."""

    refusal: Refusal
    meaning: str
    quotes: bool = False


_REJECTED = Refusal.REJECTED
_CONFIGURATION = Refusal.CONFIGURATION
_TRY_LATER = Refusal.TRY_LATER

INACTIVE = "406"

ERROR_CODES: Mapping[str, ErrorCode] = {
    "10": ErrorCode(_CONFIGURATION, "the server token is missing or wrong"),
    "100": ErrorCode(_TRY_LATER, "down for maintenance"),
    "300": ErrorCode(_REJECTED, "the message is not valid", quotes=True),
    "400": ErrorCode(_CONFIGURATION, "the sender has no sender signature"),
    "401": ErrorCode(_CONFIGURATION, "the sender's signature is not confirmed"),
    "402": ErrorCode(_REJECTED, "the request is not JSON"),
    "403": ErrorCode(_REJECTED, "the request has wrong fields", quotes=True),
    "405": ErrorCode(_CONFIGURATION, "the account has no credits left"),
    INACTIVE: ErrorCode(
        _REJECTED,
        "the receiver is inactive: an earlier message bounced or was called spam, or somebody"
        " suppressed the address",
    ),
    "409": ErrorCode(_REJECTED, "the request is not marked as JSON"),
    "411": ErrorCode(_REJECTED, "a file is of a type that is not sent", quotes=True),
    "412": ErrorCode(_CONFIGURATION, "the account waits for approval", quotes=True),
    "413": ErrorCode(_CONFIGURATION, "the account may not send"),
    "429": ErrorCode(_TRY_LATER, "too many requests"),
    "1235": ErrorCode(_CONFIGURATION, "the message stream does not exist"),
}
"""1235 is not on the page named above: it rests on what others saw, and is refused anyway."""

PAUSE_CODES = frozenset({"10", "http_401", "405", "413"})
"""No message of the account would be taken, whoever it is for."""

METADATA_REFUSALS: tuple[tuple[str, str], ...] = (
    ("300", "invalid metadata content"),
    ("403", "$.metadata"),
)
"""Code and words of answers that refuse the metadata only. They rest on answers that others
published (django-anymail issue 238, postmark-wordpress issue 113), not on Postmark's pages."""


def refuses_metadata(code: str, message: str) -> bool:
    said = message.lower()
    return any(code == listed and words in said for listed, words in METADATA_REFUSALS)


def explain(code: str, message: str) -> str:
    """One sentence for people, with Postmark's own words only where ours don't say enough."""
    known = ERROR_CODES.get(code)
    if known is None:
        return f"Postmark error {code}: {message or 'no reason given'}"
    return f"Postmark: {known.meaning}" + (f" ({message})" if known.quotes and message else "")
