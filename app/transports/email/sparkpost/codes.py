"""SparkPost's error codes: what each means for a message. Data.

Source: https://support.sparkpost.com/docs/deliverability/common-extended-error-codes, and answers
that others published. A code that is not listed is judged by the HTTP status that it came with.
"""

from collections.abc import Mapping

from app.transports.email.api_answers import ErrorCode
from app.transports.email.refusals import Refusal

OVER_LIMIT = "2101"
LIMIT_STATUS = 420
"""A status of SparkPost's own: the account has sent its share of the hour or the day."""

ERROR_CODES: Mapping[str, ErrorCode] = {
    "1300": ErrorCode(Refusal.REJECTED, "the message is not valid", quotes=True),
    "1400": ErrorCode(Refusal.REJECTED, "the message is not complete", quotes=True),
    "1901": ErrorCode(Refusal.REJECTED, "the message could not be made", quotes=True),
    "1902": ErrorCode(
        Refusal.REJECTED,
        "the receiver is suppressed: an earlier message bounced, was called spam, or somebody"
        " suppressed the address",
    ),
    OVER_LIMIT: ErrorCode(Refusal.TRY_LATER, "the account has sent its share for now"),
    "2102": ErrorCode(Refusal.CONFIGURATION, "the sandbox has sent its share"),
    "7001": ErrorCode(Refusal.CONFIGURATION, "the sender's domain is not set up"),
}

PAUSE_CODES = frozenset({"2102", "http_401", "http_402"})
"""No message of the account would be taken, whoever it is for."""
