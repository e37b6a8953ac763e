"""What Unisender Go says when it does not take a message. Data.

Source: https://godocs.unisender.ru/web-api-ref#email-send and ``#api-errors``. A code that is not
listed is judged by the HTTP status that it came with.
"""

from collections.abc import Mapping

from app.transports.email.api_answers import ErrorCode
from app.transports.email.refusals import Refusal

ERROR_CODES: Mapping[str, ErrorCode] = {
    "114": ErrorCode(
        Refusal.CONFIGURATION, "it does not know the account: the other of go1 and go2 may"
    ),
}

REASONS: Mapping[str, ErrorCode] = {
    "invalid": ErrorCode(Refusal.REJECTED, "the receiver's address is not valid"),
    "permanent_unavailable": ErrorCode(
        Refusal.REJECTED, "the receiver can't be reached, or earlier messages bounced"
    ),
    "temporary_unavailable": ErrorCode(
        Refusal.TRY_LATER, "the receiver got no message for a time and can't be written to yet"
    ),
    "unsubscribed": ErrorCode(Refusal.OPTED_OUT, "the receiver does not want messages any more"),
}
"""Why a receiver is left out (``failed_emails``), of a success too."""

DUPLICATE = "duplicate"
"""A reason that says that the address stands twice in the request; the message is sent once."""

NOBODY = "left_out"
"""A reason that isn't listed."""

PAUSE_CODES = frozenset({"114", "http_401", "http_402"})
"""No message of the account would be taken, whoever it is for."""
