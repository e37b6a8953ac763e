"""From what Mailtrap answered to a send to the outcome of the attempt."""

from collections.abc import Mapping

from app.transports.contract import Accepted, MetadataRefused, OutboundEmail, Outcome
from app.transports.email.api_answers import ErrorCode, Judge, Refused, is_id, is_success
from app.transports.email.mailtrap.facts import REFUSED
from app.transports.email.refusals import Refusal
from app.transports.http import Answer
from app.transports.http.objects import NOTHING, Object, list_in, read_object, text_in

ERROR_CODES: Mapping[str, ErrorCode] = {
    REFUSED: ErrorCode(Refusal.REJECTED, "the message is refused", quotes=True)
}
JUDGE = Judge("Mailtrap", ERROR_CODES)
SANDBOX = "Mailtrap's sandbox has the message; it goes to nobody."
METADATA = "custom_variables"


def read_answer(
    answer: Answer, email: OutboundEmail, secrets: tuple[str, ...], *, sandbox: bool = False
) -> Outcome:
    """A success whose body says otherwise is none.

    Raises :class:`MetadataRefused` when that alone was refused.
    """
    body = read_object(answer.body)
    if not is_success(answer):
        return read_refusal(answer, "", body or NOTHING, email, secrets)
    if body is None:
        return JUDGE.unreadable(answer)
    if body.get("success") is False or body.get("errors"):
        return read_refusal(answer, REFUSED, body, email, secrets)
    return read_acceptance(body, sandbox=sandbox)


def read_acceptance(body: Object, *, sandbox: bool) -> Outcome:
    """There is one receiver, so that there must be one id."""
    ids = list_in(body, "message_ids")
    message_id = str(ids[0]) if len(ids) == 1 and isinstance(ids[0], str | int) else ""
    if body.get("success") is not True or not is_id(message_id):
        return JUDGE.no_id()
    return Accepted(message_id, SANDBOX if sandbox else "Mailtrap: accepted", final=sandbox)


def read_refusal(
    answer: Answer, code: str, body: Object, email: OutboundEmail, secrets: tuple[str, ...]
) -> Outcome:
    errors = words_of(body)
    if email.metadata and answer.status < 500 and errors and all(METADATA in e for e in errors):
        raise MetadataRefused("Mailtrap refused the metadata")
    said = " ".join(errors)
    return JUDGE.judge(Refused(answer.status, code, said, answer.retry_after), secrets)


def words_of(body: Object) -> list[str]:
    one = text_in(body, "errors", "error")
    return [one] if one else [e for e in list_in(body, "errors") if isinstance(e, str)]
