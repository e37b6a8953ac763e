"""From what MailerSend answered to a send to the outcome of the attempt."""

from collections.abc import Iterator

from app.transports.contract import Accepted, OutboundEmail, Outcome
from app.transports.email.api_answers import Judge, Refused, is_id, is_success
from app.transports.email.mailersend.codes import (
    CODE,
    ERROR_CODES,
    MAINTENANCE,
    MAINTENANCE_STATUS,
    SUPPRESSED,
)
from app.transports.http import Answer
from app.transports.http.objects import (
    NOTHING,
    Object,
    as_object,
    list_in,
    object_in,
    read_object,
    text_in,
)

JUDGE = Judge("MailerSend", ERROR_CODES)
ALL_SUPPRESSED = "ALL_SUPPRESSED"
NOT_ACCEPTED = 400
"""The status of a refusal, for one that came with status 202."""


def read_answer(answer: Answer, email: OutboundEmail, secrets: tuple[str, ...]) -> Outcome:
    """An accepted message has an empty body. One that names the receiver as suppressed isn't
    accepted, although the status says so."""
    body = read_object(answer.body) or NOTHING
    if not is_success(answer):
        return read_refusal(answer, body, secrets)
    reason = reason_in(body, email.receiver.email.lower())
    if reason is not None:
        return JUDGE.judge(Refused(NOT_ACCEPTED, reason), secrets)
    message_id = answer.headers.get("x-message-id", "")
    if not is_id(message_id):
        return JUDGE.no_id()
    return Accepted(message_id, "MailerSend: accepted")


def reason_in(body: Object, receiver: str) -> str | None:
    """Why the receiver is left out. Where all are, it is the one, however it is spelled."""
    warnings = [as_object(one) for one in list_in(body, "warnings")]
    for warning in warnings:
        reasons = dict(suppressed_in(warning))
        if receiver in reasons:
            return reasons[receiver]
        if text_in(warning, "type") == ALL_SUPPRESSED:
            return next(iter(reasons.values()), SUPPRESSED)
    return None


def suppressed_in(warning: Object) -> Iterator[tuple[str, str]]:
    """Addresses, in lower case, and why they are left out."""
    if text_in(warning, "type").endswith("_SUPPRESSED"):
        for one in map(as_object, list_in(warning, "recipients")):
            reasons = [*list_in(one, "reasons"), *list_in(one, "reason")]
            known = (
                reason for reason in reasons if isinstance(reason, str) and reason in ERROR_CODES
            )
            yield text_in(one, "email").lower(), next(known, SUPPRESSED)


def read_refusal(answer: Answer, body: Object, secrets: tuple[str, ...]) -> Outcome:
    said = " ".join(words_of(body))
    found = CODE.search(said)
    code = found[1] if found else ""
    if answer.status == MAINTENANCE_STATUS:
        code = MAINTENANCE
    return JUDGE.judge(Refused(answer.status, code, said, answer.retry_after), secrets)


def words_of(body: Object) -> Iterator[str]:
    """What is wrong, by field; else what MailerSend says in general."""
    errors = object_in(body, "errors")
    told = [one for name in errors for one in list_in(errors, name) if isinstance(one, str)]
    yield from told or [text_in(body, "message")]
