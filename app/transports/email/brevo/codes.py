"""Brevo's error codes: what each means for a message. Data.

Source: https://developers.brevo.com/docs/how-it-works#error-codes. A code that is not listed is
judged by the HTTP status that it came with.
"""

from collections.abc import Mapping

from app.transports.email.api_answers import ErrorCode
from app.transports.email.refusals import Refusal

REPEATED = "duplicate_parameter"
"""What a second request with the same ``idempotencyKey`` is answered. It rests on a description of
Brevo's API by others; Brevo's own page says only that such a request is ignored."""

ERROR_CODES: Mapping[str, ErrorCode] = {
    "invalid_parameter": ErrorCode(Refusal.REJECTED, "the message is not valid", quotes=True),
    "missing_parameter": ErrorCode(Refusal.REJECTED, "the message is not complete", quotes=True),
    "out_of_range": ErrorCode(Refusal.REJECTED, "a field is too long or too big", quotes=True),
    "unauthorized": ErrorCode(
        Refusal.CONFIGURATION, "the API key is wrong, or this server's address is not allowed"
    ),
    "permission_denied": ErrorCode(Refusal.CONFIGURATION, "the account may not send"),
    "account_under_validation": ErrorCode(Refusal.CONFIGURATION, "the account waits for approval"),
    "not_enough_credits": ErrorCode(Refusal.CONFIGURATION, "the account has no credits left"),
    "method_not_allowed": ErrorCode(Refusal.CONFIGURATION, "the address of the API is wrong"),
    "too_many_requests": ErrorCode(Refusal.TRY_LATER, "too many requests"),
}

PAUSE_CODES = frozenset(
    {
        "unauthorized",
        "permission_denied",
        "account_under_validation",
        "not_enough_credits",
        "http_401",
        "http_402",
    }
)
"""No message of the account would be taken, whoever it is for."""
