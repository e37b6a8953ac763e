"""Postal's error codes: what each means for a message. Data.

Source: the controllers of its API (https://github.com/postalserver/postal, ``app/controllers/
legacy_api``). They come with HTTP status 200.
"""

from collections.abc import Mapping

from app.transports.email.api_answers import ErrorCode
from app.transports.email.refusals import Refusal

WITHOUT_CODE = "parameter-error"
"""The status of an answer that has a message and no code."""

ERROR_CODES: Mapping[str, ErrorCode] = {
    "AccessDenied": ErrorCode(Refusal.CONFIGURATION, "the API key is missing"),
    "InvalidServerAPIKey": ErrorCode(Refusal.CONFIGURATION, "the API key is wrong"),
    "ServerSuspended": ErrorCode(Refusal.CONFIGURATION, "the mail server is suspended"),
    "UnauthenticatedFromAddress": ErrorCode(
        Refusal.CONFIGURATION, "the sender's domain is not one of the mail server's"
    ),
    "FromAddressMissing": ErrorCode(Refusal.REJECTED, "the message has no sender"),
    "NoRecipients": ErrorCode(Refusal.REJECTED, "the message has no receiver"),
    "NoContent": ErrorCode(Refusal.REJECTED, "the message is empty"),
    "TooManyToAddresses": ErrorCode(Refusal.REJECTED, "too many addresses in To"),
    "TooManyCCAddresses": ErrorCode(Refusal.REJECTED, "too many addresses in Cc"),
    "TooManyBCCAddresses": ErrorCode(Refusal.REJECTED, "too many addresses in Bcc"),
    "AttachmentMissingName": ErrorCode(Refusal.REJECTED, "a file has no name"),
    "AttachmentMissingData": ErrorCode(Refusal.REJECTED, "a file is empty"),
    WITHOUT_CODE: ErrorCode(Refusal.REJECTED, "the request is not complete", quotes=True),
}

PAUSE_CODES = frozenset({"AccessDenied", "InvalidServerAPIKey", "ServerSuspended", "http_401"})
"""No message of the mail server would be taken, whoever it is for."""
