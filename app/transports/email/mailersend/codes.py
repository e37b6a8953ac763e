"""MailerSend's refusals: what each means for a message. Data.

Source: https://developers.mailersend.com/general.html. Answers of status 422 name codes such as
``#MS42207`` in their texts; those that are not listed here are judged by the status.
"""

import re
from collections.abc import Mapping

from app.transports.email.api_answers import ErrorCode
from app.transports.email.refusals import Refusal

CODE = re.compile(r"#(MS[0-9]{5})\b")

MAINTENANCE = "maintenance"
MAINTENANCE_STATUS = 421

ERROR_CODES: Mapping[str, ErrorCode] = {
    "MS42207": ErrorCode(Refusal.CONFIGURATION, "the sender's domain is not verified"),
    MAINTENANCE: ErrorCode(Refusal.TRY_LATER, "down for maintenance"),
    "hard_bounced": ErrorCode(
        Refusal.REJECTED, "the receiver is suppressed: an earlier message bounced"
    ),
    "spam_complaint": ErrorCode(
        Refusal.REJECTED, "the receiver is suppressed: an earlier message was called spam"
    ),
    "unsubscribed": ErrorCode(Refusal.OPTED_OUT, "the receiver has unsubscribed"),
    "blocklisted": ErrorCode(Refusal.REJECTED, "the receiver is on the account's block list"),
    "suppressed": ErrorCode(Refusal.REJECTED, "the receiver is suppressed"),
}
"""The last five come in warnings of an answer that says that the message was accepted."""

SUPPRESSED = "suppressed"
PAUSE_CODES = frozenset({"http_401"})
"""The token is wrong: no message of the account would be taken."""
