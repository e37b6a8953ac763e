"""What an answer other than acceptance means: by the provider's own code, else by HTTP status."""

from collections.abc import Mapping
from enum import StrEnum

from app.transports.contract import Outcome, Rejected, RejectKind, TryLater, Unknown

MAYBE_SENT = "The message may have been sent."


class Refusal(StrEnum):
    """``try_later``: surely not taken. ``in_doubt``: may be repeated, may have been taken.
    ``unknown``: may have been taken, and must not be repeated."""

    REJECTED = "rejected"
    OPTED_OUT = "opted_out"
    CONFIGURATION = "configuration"
    TRY_LATER = "try_later"
    IN_DOUBT = "in_doubt"
    UNKNOWN = "unknown"


HTTP_STATUSES: Mapping[int, Refusal] = {
    **dict.fromkeys((301, 302, 303, 307, 308), Refusal.CONFIGURATION),
    **dict.fromkeys((401, 402, 403, 404, 405), Refusal.CONFIGURATION),
    **dict.fromkeys((408, 423, 425, 429), Refusal.TRY_LATER),
}
"""A redirect isn't followed: like 404 and 405 it says that the address of the API is wrong."""


def class_of_status(status: int) -> Refusal:
    """Where a provider's own code doesn't decide. Other 4xx were refused for good; from 500 on the
    provider failed midway, which is repeated as VDQ does; the rest may be anything."""
    if status in HTTP_STATUSES:
        return HTTP_STATUSES[status]
    if 400 <= status < 500:
        return Refusal.REJECTED
    return Refusal.IN_DOUBT if status >= 500 else Refusal.UNKNOWN


def outcome_of(refusal: Refusal, text: str, code: str, retry_after: float | None) -> Outcome:
    """``text`` says what the provider said; what it leaves open is added here."""
    match refusal:
        case Refusal.TRY_LATER:
            return TryLater(text, code, retry_after)
        case Refusal.IN_DOUBT:
            return TryLater(f"{text} {MAYBE_SENT}", code, retry_after, may_have_been_sent=True)
        case Refusal.UNKNOWN:
            hint = "Look for it at the provider before you send it again."
            return Unknown(f"{text} {MAYBE_SENT} {hint}", code)
        case _:
            return Rejected(text, code, RejectKind(refusal.value))
