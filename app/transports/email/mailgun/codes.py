"""Mailgun's refusals. It has no codes of its own: these are made of what it says.

Source: https://documentation.mailgun.com/docs/mailgun/api-reference/mailgun-errors
"""

from collections.abc import Mapping

from app.transports.email.api_answers import ErrorCode
from app.transports.email.refusals import Refusal

LIMIT = "limit"
WRONG_ADDRESS = "wrong_address"

ERROR_CODES: Mapping[str, ErrorCode] = {
    LIMIT: ErrorCode(Refusal.TRY_LATER, "the account's limit for an hour is reached"),
    WRONG_ADDRESS: ErrorCode(
        Refusal.CONFIGURATION, "the address of the API or the sending domain is wrong"
    ),
}

LIMIT_STATUS = 420
"""Others saw it when the hourly limit was reached; Mailgun's page doesn't name it."""

GREETING = b"Mailgun Magnificent API"
"""What Mailgun answers with status 200 at an address that it doesn't know."""

PAUSE_CODES = frozenset({"http_401", "http_402", WRONG_ADDRESS})
"""No message of the account would be taken, whoever it is for."""
