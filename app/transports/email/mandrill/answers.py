"""From what Mandrill answered to a send to the outcome of the attempt."""

from app.transports.contract import Accepted, MetadataRefused, OutboundEmail, Outcome
from app.transports.email.api_answers import Judge, Refused, is_id, is_success
from app.transports.email.mandrill.codes import (
    ERROR_CODES,
    ERROR_NAMES,
    METADATA_REFUSED,
    REJECTIONS,
)
from app.transports.http import Answer
from app.transports.http.objects import Object, as_object, read_array, read_object, text_in

JUDGE = Judge("Mandrill", ERROR_CODES, believes_5xx=True)
TAKEN = frozenset({"sent", "queued", "scheduled"})
REFUSED = frozenset({"rejected", "invalid"})


def read_answer(answer: Answer, email: OutboundEmail, secrets: tuple[str, ...]) -> Outcome:
    """Raises :class:`MetadataRefused` when that alone was refused."""
    error = read_object(answer.body)
    if error is not None and text_in(error, "status") == "error":
        return read_error(answer, error, email, secrets)
    if not is_success(answer):
        return JUDGE.judge(Refused(answer.status, retry_after=answer.retry_after), secrets)
    results = read_array(answer.body)
    if results is None or len(results) != 1:
        return JUDGE.unreadable(answer)
    return read_result(answer, as_object(results[0]), secrets)


def read_result(answer: Answer, result: Object, secrets: tuple[str, ...]) -> Outcome:
    """What became of the one receiver."""
    status, message_id = text_in(result, "status"), text_in(result, "_id")
    if status in REFUSED:
        reason = text_in(result, "reject_reason") or status
        code = reason if reason in REJECTIONS else "rejected"
        return JUDGE.judge(Refused(answer.status, code, reason), secrets)
    if status not in TAKEN:
        return JUDGE.unreadable(answer)
    return Accepted(message_id, f"Mandrill: {status}") if is_id(message_id) else JUDGE.no_id()


def read_error(
    answer: Answer, error: Object, email: OutboundEmail, secrets: tuple[str, ...]
) -> Outcome:
    """Nearly every error comes with status 500, and its name decides. One that isn't known tells
    nothing but that the message may have been taken."""
    name, said = text_in(error, "name"), text_in(error, "message")
    if name == "ValidationError" and email.metadata and METADATA_REFUSED in said:
        raise MetadataRefused("Mandrill refused the metadata")
    status = 500 if is_success(answer) and name not in ERROR_NAMES else answer.status
    return JUDGE.judge(Refused(status, name, said, answer.retry_after), secrets)
