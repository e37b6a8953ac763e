"""Resend's errors by name: what each means for a message. Data.

Source: https://resend.com/docs/api-reference/errors. A name that is not listed is judged by the
HTTP status that it came with. Which status comes with which name was not checked at an account.
"""

from collections.abc import Mapping

from app.transports.email.api_answers import ErrorCode
from app.transports.email.refusals import Refusal

UNVERIFIED = "validation_error/403"
"""The one name that means two things: with status 403 it is about the sender's domain."""

ERROR_CODES: Mapping[str, ErrorCode] = {
    **dict.fromkeys(
        ("validation_error", "missing_required_field", "invalid_parameter", "invalid_attachment"),
        ErrorCode(Refusal.REJECTED, "the message is not valid", quotes=True),
    ),
    "invalid_from_address": ErrorCode(Refusal.REJECTED, "the sender's address is not valid"),
    "invalid_idempotency_key": ErrorCode(Refusal.REJECTED, "the idempotency key is not valid"),
    "security_error": ErrorCode(Refusal.REJECTED, "the message is refused for security"),
    UNVERIFIED: ErrorCode(
        Refusal.CONFIGURATION, "the sender's domain is not verified, or the account is for tests"
    ),
    "missing_api_key": ErrorCode(Refusal.CONFIGURATION, "the API key is missing"),
    "invalid_api_key": ErrorCode(Refusal.CONFIGURATION, "the API key is wrong"),
    "restricted_api_key": ErrorCode(Refusal.CONFIGURATION, "the API key may not do this"),
    "invalid_access": ErrorCode(Refusal.CONFIGURATION, "the API key may not do this"),
    "not_found": ErrorCode(Refusal.CONFIGURATION, "the address of the API is wrong"),
    "method_not_allowed": ErrorCode(Refusal.CONFIGURATION, "the address of the API is wrong"),
    "daily_quota_exceeded": ErrorCode(Refusal.CONFIGURATION, "the account's day is used up"),
    "monthly_quota_exceeded": ErrorCode(Refusal.CONFIGURATION, "the account's month is used up"),
    "rate_limit_exceeded": ErrorCode(Refusal.TRY_LATER, "too many requests"),
    "concurrent_idempotent_requests": ErrorCode(
        Refusal.IN_DOUBT, "the same message is being handed over"
    ),
    "invalid_idempotent_request": ErrorCode(
        Refusal.UNKNOWN, "another content was handed over with the same key before"
    ),
}

PAUSE_CODES = frozenset(
    {
        "missing_api_key",
        "invalid_api_key",
        "restricted_api_key",
        "daily_quota_exceeded",
        "monthly_quota_exceeded",
        "http_401",
    }
)
"""No message of the account would be taken, whoever it is for."""

METADATA_REFUSAL = "tags should only contain"
"""Words of an answer that refuses the metadata alone. They rest on what others published."""


def refuses_metadata(code: str, said: str) -> bool:
    return code == "validation_error" and METADATA_REFUSAL in said.lower()
