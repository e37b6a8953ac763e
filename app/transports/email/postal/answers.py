"""From what Postal answered to a send to the outcome of the attempt."""

from app.transports.contract import Accepted, OutboundEmail, Outcome
from app.transports.email.api_answers import Judge, Refused, is_id, is_success
from app.transports.email.postal.codes import ERROR_CODES, WITHOUT_CODE
from app.transports.http import Answer
from app.transports.http.objects import Object, object_in, read_object, text_in

JUDGE = Judge("Postal", ERROR_CODES)
SUCCESS = "success"
FAILURES = frozenset({"error", "parameter-error"})
BAD_REQUEST = 400


def read_answer(answer: Answer, email: OutboundEmail, secrets: tuple[str, ...]) -> Outcome:
    """Postal answers everything with status 200; the body says what it is."""
    body = read_object(answer.body)
    if not is_success(answer):
        return JUDGE.judge(Refused(answer.status, retry_after=answer.retry_after), secrets)
    status = text_in(body, "status") if body is not None else ""
    if body is not None and status in FAILURES:
        return read_failure(object_in(body, "data"), secrets)
    if body is None or status != SUCCESS:
        return JUDGE.unreadable(answer)
    return read_acceptance(object_in(body, "data"), email)


def read_acceptance(data: Object, email: OutboundEmail) -> Outcome:
    """An id for each receiver: a number, which is unique in one mail server."""
    messages = object_in(data, "messages")
    ours = [one for one in messages if one.lower() == email.receiver.email.lower()]
    named = ours or list(messages)
    message_id = text_in(object_in(messages, named[0]), "id") if len(named) == 1 else ""
    return Accepted(message_id, "Postal: accepted") if is_id(message_id) else JUDGE.no_id()


def read_failure(data: Object, secrets: tuple[str, ...]) -> Outcome:
    """Nothing was taken. Beside the code of a wrong key stands that key: it is not read."""
    code = text_in(data, "code") or WITHOUT_CODE
    return JUDGE.judge(Refused(BAD_REQUEST, code, text_in(data, "message")), secrets)
