"""What Mandrill says when it does not take a message. Data.

Source: https://mailchimp.com/developer/transactional/api/messages/send-new-message/. Reasons of a
rejection are listed there too.
"""

from collections.abc import Mapping

from app.transports.email.api_answers import ErrorCode
from app.transports.email.refusals import Refusal

ERROR_NAMES: Mapping[str, ErrorCode] = {
    "Invalid_Key": ErrorCode(Refusal.CONFIGURATION, "the API key is wrong"),
    "PaymentRequired": ErrorCode(Refusal.CONFIGURATION, "the account has to pay before it sends"),
    "Unknown_Subaccount": ErrorCode(Refusal.CONFIGURATION, "the subaccount does not exist"),
    "Unknown_Pool": ErrorCode(Refusal.CONFIGURATION, "the pool of addresses does not exist"),
    "ValidationError": ErrorCode(Refusal.REJECTED, "the message is not valid", quotes=True),
    "Unknown_Template": ErrorCode(Refusal.REJECTED, "the template does not exist"),
    "Unknown_Message": ErrorCode(Refusal.REJECTED, "the message does not exist"),
    "GeneralError": ErrorCode(Refusal.IN_DOUBT, "an error that it does not name"),
    "ServiceUnavailable": ErrorCode(Refusal.IN_DOUBT, "a part of it is down"),
}
"""They come with HTTP status 500, whatever they say. That the last two leave open whether the
message was taken is caution: no page says so."""

REJECTIONS: Mapping[str, ErrorCode] = {
    "hard-bounce": ErrorCode(Refusal.REJECTED, "an earlier message to the receiver bounced"),
    "soft-bounce": ErrorCode(Refusal.REJECTED, "earlier messages to the receiver bounced"),
    "spam": ErrorCode(Refusal.REJECTED, "the receiver called an earlier message spam"),
    "unsub": ErrorCode(Refusal.OPTED_OUT, "the receiver does not want messages any more"),
    "custom": ErrorCode(Refusal.REJECTED, "the receiver is on the account's own list of refusals"),
    "invalid": ErrorCode(Refusal.REJECTED, "the receiver's address is not valid"),
    "rule": ErrorCode(Refusal.REJECTED, "a rule of the account refuses the message"),
    "rejected": ErrorCode(Refusal.REJECTED, "the receiver is refused", quotes=True),
    "invalid-sender": ErrorCode(Refusal.CONFIGURATION, "the sender's address is not valid"),
    "unsigned": ErrorCode(Refusal.CONFIGURATION, "the sender's domain is not verified"),
    "test-mode-limit": ErrorCode(Refusal.CONFIGURATION, "the test key has sent its share"),
}
"""They come with HTTP status 200."""

ERROR_CODES: Mapping[str, ErrorCode] = {**ERROR_NAMES, **REJECTIONS}

PAUSE_CODES = frozenset({"Invalid_Key", "PaymentRequired", "test-mode-limit", "http_401"})
"""No message of the account would be taken, whoever it is for."""

METADATA_REFUSED = '"metadata"'
"""How a ValidationError names the metadata as what is wrong. It rests on the form of such errors
about other fields, not on an answer that anybody saw."""
