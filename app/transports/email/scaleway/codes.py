"""Scaleway's types of errors: what each means for a message. Data.

Source: https://github.com/scaleway/scaleway-sdk-go, ``scw/errors.go``, which knows these types. One
that is not listed is judged by the HTTP status that it came with.
"""

from collections.abc import Mapping

from app.transports.email.api_answers import ErrorCode
from app.transports.email.refusals import Refusal

FAILED = "failed"
"""The status of an email that Scaleway took and will not send."""

ERROR_CODES: Mapping[str, ErrorCode] = {
    "invalid_arguments": ErrorCode(Refusal.REJECTED, "the message is not valid", quotes=True),
    "quotas_exceeded": ErrorCode(Refusal.CONFIGURATION, "the project has sent its share"),
    "permissions_denied": ErrorCode(Refusal.CONFIGURATION, "the API key may not send"),
    "denied_authentication": ErrorCode(Refusal.CONFIGURATION, "the API key is wrong"),
    "not_found": ErrorCode(Refusal.CONFIGURATION, "the project or the region does not exist"),
    "precondition_failed": ErrorCode(
        Refusal.CONFIGURATION, "the sender's domain is not ready", quotes=True
    ),
    "resource_expired": ErrorCode(Refusal.CONFIGURATION, "the project has expired"),
    "locked": ErrorCode(Refusal.CONFIGURATION, "the project is locked"),
    "transient_state": ErrorCode(Refusal.TRY_LATER, "the project is being changed"),
    "too_many_requests": ErrorCode(Refusal.TRY_LATER, "too many requests"),
    FAILED: ErrorCode(Refusal.REJECTED, "the message will not be sent", quotes=True),
}

PAUSE_CODES = frozenset(
    {
        "quotas_exceeded",
        "permissions_denied",
        "denied_authentication",
        "resource_expired",
        "locked",
        "http_401",
    }
)
"""No message of the project would be taken, whoever it is for."""
