"""From what Postmark answered to a send to the outcome of the attempt."""

from email.utils import getaddresses

from app.transports.contract import Accepted, MetadataRefused, OutboundEmail, Outcome, Unknown
from app.transports.email.postmark.codes import ERROR_CODES, INACTIVE, explain, refuses_metadata
from app.transports.email.refusals import MAYBE_SENT, Refusal, class_of_status, outcome_of
from app.transports.email.tidy import tidy
from app.transports.http import Answer
from app.transports.http.objects import NOTHING, Object, read_object, text_in

LOOK = f"{MAYBE_SENT} Look for it in Postmark's activity before you send it again."
NO_ERROR = frozenset({"", "0"})
"""Postmark leaves the code out when it says that delivery may be delayed."""

UNKNOWN_KEY = 401
"""A status that pauses the channel, whatever code that we don't know comes with it."""

LONGEST_QUOTE = 500
"""Characters of Postmark's own words; its longest known sentence has about 300."""

INACTIVE_LIST = "will not deliver to these inactive addresses:"
"""How a success tells that some of the receivers are left out."""


def read_answer(answer: Answer, email: OutboundEmail, secrets: tuple[str, ...]) -> Outcome:
    """Raises :class:`MetadataRefused` when that alone was refused."""
    body = read_object(answer.body)
    if not 200 <= answer.status < 300:
        return read_refusal(answer, body or NOTHING, email, secrets)
    if body is None:
        text = f"Postmark's answer (HTTP {answer.status}) can't be read. {LOOK}"
        return Unknown(text, f"http_{answer.status}")
    if text_in(body, "ErrorCode") not in NO_ERROR:
        return read_refusal(answer, body, email, secrets)
    return read_acceptance(body, email)


def read_acceptance(body: Object, email: OutboundEmail) -> Outcome:
    message_id, said = text_in(body, "MessageID"), text_in(body, "Message")
    if not is_id(message_id):
        return Unknown(f"Postmark's answer names no message. {LOOK}", "no_id")
    if email.receiver.email.lower() in inactive_in(said):
        return outcome_of(Refusal.REJECTED, f"{explain(INACTIVE, '')}.", INACTIVE, None)
    return Accepted(message_id, f"Postmark: {tidy(said, ()) or 'accepted'}"[:200])


def is_id(text: str) -> bool:
    return 0 < len(text) <= 200 and text.isascii() and text.isprintable()


def inactive_in(said: str) -> frozenset[str]:
    """The addresses that Postmark leaves out; it writes them in lower case."""
    _, found, listed = said.partition(INACTIVE_LIST)
    if not found:
        return frozenset()
    addresses = listed.partition(". ")[0].strip().removesuffix(".")
    return frozenset(address.lower() for _, address in getaddresses([addresses]))


def read_refusal(
    answer: Answer, body: Object, email: OutboundEmail, secrets: tuple[str, ...]
) -> Outcome:
    code = text_in(body, "ErrorCode")
    said = tidy(text_in(body, "Message"), secrets)[:LONGEST_QUOTE]
    if answer.status < 500 and email.metadata and refuses_metadata(code, said):
        raise MetadataRefused(f"Postmark refused the metadata (error {code})")
    is_unknown_key = answer.status == UNKNOWN_KEY and code not in ERROR_CODES
    if code in NO_ERROR or is_unknown_key or answer.status >= 500:
        code, text = f"http_{answer.status}", f"Postmark answered HTTP {answer.status}."
    else:
        text = explain(code, said).rstrip(".") + "."
    return outcome_of(class_of(answer.status, code), text, code[:64], answer.retry_after)


def class_of(status: int, code: str) -> Refusal:
    """From 500 on Postmark failed midway, and no code of its own is believed any more."""
    known = ERROR_CODES.get(code)
    return known.refusal if known and status < 500 else class_of_status(status)
