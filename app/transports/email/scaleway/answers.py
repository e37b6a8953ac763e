"""From what Scaleway answered to a send to the outcome of the attempt."""

from collections.abc import Iterator

from app.transports.contract import Accepted, OutboundEmail, Outcome
from app.transports.email.api_answers import Judge, Refused, is_id, is_success
from app.transports.email.scaleway.codes import ERROR_CODES, FAILED
from app.transports.http import Answer
from app.transports.http.objects import (
    NOTHING,
    Object,
    as_object,
    list_in,
    objects_in,
    read_object,
    text_in,
)

JUDGE = Judge("Scaleway", ERROR_CODES)
NOT_SENT = frozenset({"failed", "canceled"})
BAD_REQUEST = 400


def read_answer(answer: Answer, email: OutboundEmail, secrets: tuple[str, ...]) -> Outcome:
    body = read_object(answer.body)
    if not is_success(answer):
        return read_refusal(answer, body or NOTHING, secrets)
    emails = objects_in(body, "emails") if body is not None else None
    ours = [one for one in emails or [] if is_to(one, email)]
    if len(ours) != 1:
        return JUDGE.unreadable(answer)
    return read_email(ours[0], secrets)


def is_to(one: Object, email: OutboundEmail) -> bool:
    return text_in(one, "mail_rcpt", "rcpt_to").lower() == email.receiver.email.lower()


def read_email(one: Object, secrets: tuple[str, ...]) -> Outcome:
    status, message_id = text_in(one, "status"), text_in(one, "id")
    if status in NOT_SENT:
        return JUDGE.judge(Refused(BAD_REQUEST, FAILED, status), secrets)
    return Accepted(message_id, "Scaleway: accepted") if is_id(message_id) else JUDGE.no_id()


def read_refusal(answer: Answer, body: Object, secrets: tuple[str, ...]) -> Outcome:
    said = ". ".join([text_in(body, "message"), *details_in(body)])
    refused = Refused(answer.status, text_in(body, "type"), said, answer.retry_after)
    return JUDGE.judge(refused, secrets)


def details_in(body: Object) -> Iterator[str]:
    """What is wrong with each field; the values themselves are not quoted."""
    for detail in map(as_object, list_in(body, "details")):
        words = [text_in(detail, name) for name in ("argument_name", "reason", "help_message")]
        yield " ".join(word for word in words if word)
