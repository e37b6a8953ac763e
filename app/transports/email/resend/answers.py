"""From what Resend answered to a send to the outcome of the attempt."""

from app.transports.contract import Accepted, MetadataRefused, OutboundEmail, Outcome
from app.transports.email.api_answers import Judge, Refused, is_id, is_success
from app.transports.email.resend.codes import ERROR_CODES, UNVERIFIED, refuses_metadata
from app.transports.http import Answer
from app.transports.http.answer import wait_in_seconds
from app.transports.http.objects import NOTHING, Object, read_object, text_in

JUDGE = Judge("Resend", ERROR_CODES)


def read_answer(answer: Answer, email: OutboundEmail, secrets: tuple[str, ...]) -> Outcome:
    """Raises :class:`MetadataRefused` when that alone was refused."""
    body = read_object(answer.body)
    if not is_success(answer):
        return read_refusal(answer, body or NOTHING, email, secrets)
    if body is None:
        return JUDGE.unreadable(answer)
    message_id = text_in(body, "id")
    return Accepted(message_id, "Resend: accepted") if is_id(message_id) else JUDGE.no_id()


def read_refusal(
    answer: Answer, body: Object, email: OutboundEmail, secrets: tuple[str, ...]
) -> Outcome:
    code, said = text_in(body, "name"), text_in(body, "message")
    if answer.status < 500 and email.metadata and refuses_metadata(code, said):
        raise MetadataRefused("Resend refused the metadata as tags")
    if (code, answer.status) == ("validation_error", 403):
        code = UNVERIFIED
    return JUDGE.judge(Refused(answer.status, code, said, wait_of(answer)), secrets)


def wait_of(answer: Answer) -> float | None:
    """Resend names seconds in a header of the IETF's draft too."""
    return answer.retry_after or wait_in_seconds(
        answer.headers.get("ratelimit-reset"), answer.headers.get("date")
    )
