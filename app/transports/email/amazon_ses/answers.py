"""From what Amazon SES answered to a send to the outcome of the attempt."""

from app.transports.contract import Accepted, OutboundEmail, Outcome
from app.transports.email.amazon_ses.codes import DAILY, DAILY_WAIT, ERROR_CODES
from app.transports.email.api_answers import Judge, Refused, is_id, is_success
from app.transports.http import Answer
from app.transports.http.objects import NOTHING, Object, read_object, text_in

JUDGE = Judge("Amazon SES", ERROR_CODES)
ERROR = "x-amzn-errortype"


def read_answer(answer: Answer, _: OutboundEmail, secrets: tuple[str, ...]) -> Outcome:
    body = read_object(answer.body)
    if not is_success(answer):
        return read_refusal(answer, body or NOTHING, secrets)
    if body is None:
        return JUDGE.unreadable(answer)
    message_id = text_in(body, "MessageId")
    return Accepted(message_id, "Amazon SES: accepted") if is_id(message_id) else JUDGE.no_id()


def read_refusal(answer: Answer, body: Object, secrets: tuple[str, ...]) -> Outcome:
    said = text_in(body, "message", "Message")
    refused = Refused(answer.status, name_of(answer, body), said, wait_of(answer, said))
    return JUDGE.judge(refused, secrets)


def name_of(answer: Answer, body: Object) -> str:
    """The name stands in a header, before an address, or in the body, behind a name space."""
    named = answer.headers.get(ERROR) or text_in(body, "__type", "code")
    return named.partition(":")[0].rpartition("#")[2].strip()


def wait_of(answer: Answer, said: str) -> float | None:
    return answer.retry_after or (DAILY_WAIT if DAILY in said.lower() else None)
