"""Twilio's error codes: what each means for a message. Data, taken from Twilio's error pages.

Twilio warns that the code for one cause may change, so a code that is not listed is judged by its
HTTP status (https://www.twilio.com/docs/api/errors).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class ErrorClass(StrEnum):
    """``unknown``: Twilio failed midway, the message may have been sent."""

    REJECTED = "rejected"
    OPTED_OUT = "opted_out"
    CONFIGURATION = "configuration"
    TRY_LATER = "try_later"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class ErrorCode:
    """``reason`` is the normalised reason of a failure report, empty where none fits."""

    kind: ErrorClass
    meaning: str
    reason: str = "other"


_REJECTED = ErrorClass.REJECTED
_CONFIGURATION = ErrorClass.CONFIGURATION
_TRY_LATER = ErrorClass.TRY_LATER
_UNKNOWN = ErrorClass.UNKNOWN

ERROR_CODES: Mapping[str, ErrorCode] = {
    "20003": ErrorCode(_CONFIGURATION, "Twilio does not accept our credentials"),
    "20005": ErrorCode(_CONFIGURATION, "the Twilio account is not active"),
    "20006": ErrorCode(_CONFIGURATION, "the Twilio account may not do this"),
    "20404": ErrorCode(_CONFIGURATION, "Twilio does not know the account or resource"),
    "20429": ErrorCode(_TRY_LATER, "Twilio has too many of our requests at once"),
    "20500": ErrorCode(_UNKNOWN, "Twilio failed internally"),
    "20503": ErrorCode(_UNKNOWN, "Twilio is not available"),
    "21211": ErrorCode(_REJECTED, "the receiver's number is not valid", "invalid"),
    "21212": ErrorCode(_CONFIGURATION, "the sender's number is not valid"),
    "21408": ErrorCode(_REJECTED, "sending to the receiver's country is not enabled", "blocked"),
    "21602": ErrorCode(_REJECTED, "the message has no body"),
    "21603": ErrorCode(_CONFIGURATION, "no sender's number was given"),
    "21604": ErrorCode(_REJECTED, "no receiver's number was given", "invalid"),
    "21606": ErrorCode(_CONFIGURATION, "the sender's number is not ours or can't send SMS"),
    "21608": ErrorCode(_CONFIGURATION, "a trial account may only send to verified numbers"),
    "21609": ErrorCode(_CONFIGURATION, "the address for status callbacks is not valid"),
    "21610": ErrorCode(ErrorClass.OPTED_OUT, "the receiver has opted out (STOP)", "unsubscribed"),
    "21611": ErrorCode(_TRY_LATER, "the queue of the sender's number is full"),
    "21612": ErrorCode(_REJECTED, "the sender's number can't reach the receiver's", "invalid"),
    "21614": ErrorCode(_REJECTED, "the receiver's number can't receive SMS", "invalid"),
    "21617": ErrorCode(_REJECTED, "the body is longer than 1,600 characters"),
    "21619": ErrorCode(_REJECTED, "the message has no body"),
    "21620": ErrorCode(_REJECTED, "the media address is not valid"),
    "21623": ErrorCode(_REJECTED, "the media address is not valid"),
    "21655": ErrorCode(_REJECTED, "the content template is not valid"),
    "21656": ErrorCode(_REJECTED, "the variables of the content template are not valid"),
    "21659": ErrorCode(_CONFIGURATION, "the sender's number does not belong to the account"),
    "21660": ErrorCode(_CONFIGURATION, "the sender's number does not belong to the account"),
    "21703": ErrorCode(_CONFIGURATION, "the messaging service has no sender"),
    "21704": ErrorCode(_CONFIGURATION, "the messaging service has no sender"),
    "30001": ErrorCode(_TRY_LATER, "Twilio's queue overflowed"),
    "30002": ErrorCode(_CONFIGURATION, "the Twilio account is suspended"),
    "30003": ErrorCode(_REJECTED, "the receiver's phone can't be reached"),
    "30004": ErrorCode(_REJECTED, "the receiver or the carrier blocks the message", "blocked"),
    "30005": ErrorCode(_REJECTED, "the receiver's number is not in use", "invalid"),
    "30006": ErrorCode(_REJECTED, "a landline, or a carrier that can't be reached", "invalid"),
    "30007": ErrorCode(_REJECTED, "the carrier or Twilio filtered the message", "blocked"),
    "30008": ErrorCode(_REJECTED, "the carrier gave no reason"),
    "30010": ErrorCode(_REJECTED, "the price is above the highest allowed"),
    "30017": ErrorCode(_TRY_LATER, "the carrier's network is congested"),
    "30022": ErrorCode(_TRY_LATER, "the rate for US numbers (A2P 10DLC) is used up"),
    "30023": ErrorCode(_TRY_LATER, "the daily limit for US numbers (A2P 10DLC) is used up"),
    "30032": ErrorCode(_CONFIGURATION, "the toll-free number is not verified"),
    "30034": ErrorCode(_CONFIGURATION, "the number is not registered for US numbers (A2P 10DLC)"),
    "30036": ErrorCode(_REJECTED, "the message waited longer than it is valid", "timed_out"),
    "30410": ErrorCode(_TRY_LATER, "the carrier did not answer in time"),
    "30500": ErrorCode(_TRY_LATER, "the carrier failed"),
}

HTTP_STATUSES: Mapping[int, ErrorClass] = {
    301: _CONFIGURATION,
    302: _CONFIGURATION,
    307: _CONFIGURATION,
    308: _CONFIGURATION,
    401: _CONFIGURATION,
    403: _CONFIGURATION,
    404: _CONFIGURATION,
    408: _TRY_LATER,
    423: _TRY_LATER,
    425: _TRY_LATER,
    429: _TRY_LATER,
}
"""Where the status decides. Not listed: any other 4xx was refused; all the rest may be anything."""


def classify(status: int, code: str) -> ErrorClass:
    """What an error answer says of the message. From 500 on the code is no longer believed."""
    if status < 500 and code in ERROR_CODES:
        return ERROR_CODES[code].kind
    refused = 400 <= status < 500
    return HTTP_STATUSES.get(status, _REJECTED if refused else _UNKNOWN)


def explain(code: str) -> str:
    """One sentence and Twilio's page on the code, for people. Never a text of Twilio's own,
    because those quote the numbers."""
    known = ERROR_CODES.get(code)
    meaning = f" ({known.meaning})" if known else ""
    return f"Twilio error {code}{meaning}: {link(code)}"


def link(code: str) -> str:
    """Twilio's page on an error code."""
    return f"https://www.twilio.com/docs/errors/{code}"
