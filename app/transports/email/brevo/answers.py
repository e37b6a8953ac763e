"""From what Brevo answered to a send to the outcome of the attempt."""

from app.transports.contract import Accepted, OutboundEmail, Outcome
from app.transports.email.api_answers import Judge, Refused, is_id, is_success
from app.transports.email.brevo.codes import ERROR_CODES, REPEATED
from app.transports.http import Answer
from app.transports.http.answer import wait_in_seconds
from app.transports.http.objects import NOTHING, Object, read_object, text_in

JUDGE = Judge("Brevo", ERROR_CODES)


def read_answer(answer: Answer, email: OutboundEmail, secrets: tuple[str, ...]) -> Outcome:
    body = read_object(answer.body)
    if is_success(answer):
        return read_acceptance(body) if body is not None else JUDGE.unreadable(answer)
    return read_refusal(answer, body or NOTHING, secrets)


def read_acceptance(body: Object) -> Outcome:
    """One receiver has one id, which stands in angle brackets."""
    message_id = text_in(body, "messageId")
    return Accepted(message_id, "Brevo: accepted") if is_id(message_id) else JUDGE.no_id()


def read_refusal(answer: Answer, body: Object, secrets: tuple[str, ...]) -> Outcome:
    code = text_in(body, "code")
    if answer.status == 400 and code == REPEATED:
        return Accepted(None, "Brevo took the message before; its report will name its id.")
    refused = Refused(answer.status, code, text_in(body, "message"), wait_of(answer))
    return JUDGE.judge(refused, secrets)


def wait_of(answer: Answer) -> float | None:
    """Brevo names seconds in a header of its own."""
    return answer.retry_after or wait_in_seconds(
        answer.headers.get("x-sib-ratelimit-reset"), answer.headers.get("date")
    )
