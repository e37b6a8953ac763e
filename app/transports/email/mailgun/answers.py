"""From what Mailgun answered to a send to the outcome of the attempt."""

from app.transports.contract import Accepted, OutboundEmail, Outcome
from app.transports.email.api_answers import Judge, Refused, is_id, is_success
from app.transports.email.mailgun.codes import (
    ERROR_CODES,
    GREETING,
    LIMIT,
    LIMIT_STATUS,
    WRONG_ADDRESS,
)
from app.transports.email.tidy import tidy
from app.transports.http import Answer
from app.transports.http.objects import NOTHING, Object, read_object, text_in

JUDGE = Judge("Mailgun", ERROR_CODES)
TAKEN = "Queued"
"""How Mailgun begins to say that it took a message."""


def read_answer(answer: Answer, _: OutboundEmail, secrets: tuple[str, ...]) -> Outcome:
    body = read_object(answer.body)
    if not is_success(answer):
        code = LIMIT if answer.status == LIMIT_STATUS else ""
        said = text_in(body or NOTHING, "message")
        return JUDGE.judge(Refused(answer.status, code, said, answer.retry_after), secrets)
    if body is not None:
        return read_acceptance(body)
    if (answer.body or b"").strip() == GREETING:
        return JUDGE.judge(Refused(answer.status, WRONG_ADDRESS), secrets)
    return JUDGE.unreadable(answer)


def read_acceptance(body: Object) -> Outcome:
    message_id, said = text_in(body, "id"), text_in(body, "message")
    if not is_id(message_id) or not said.startswith(TAKEN):
        return JUDGE.no_id()
    return Accepted(message_id, f"Mailgun: {tidy(said, ())}"[:200])
