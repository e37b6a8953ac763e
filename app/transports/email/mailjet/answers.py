"""From what Mailjet answered to a send to the outcome of the attempt.

Source: https://dev.mailjet.com/email/reference/send-emails/. Errors have codes, but no page lists
what each means, so that the status beside a code decides.
"""

from app.transports.contract import Accepted, MetadataRefused, OutboundEmail, Outcome
from app.transports.email.api_answers import Judge, Refused, is_id, is_success
from app.transports.http import Answer
from app.transports.http.objects import NOTHING, Object, as_object, list_in, read_object, text_in

JUDGE = Judge("Mailjet", {})
SANDBOX = "Mailjet's sandbox found nothing wrong with the message and sent nothing."
OURS = frozenset({"EventPayload", "CustomID"})
"""Fields that hold the metadata."""


def read_answer(
    answer: Answer, email: OutboundEmail, secrets: tuple[str, ...], *, sandbox: bool = False
) -> Outcome:
    """A status of success may have an error in its body, and one of failure a list of messages.

    Raises :class:`MetadataRefused` when that alone was refused.
    """
    body = read_object(answer.body)
    message = as_object(next(iter(list_in(body or NOTHING, "Messages")), None))
    errors = [as_object(one) for one in list_in(message, "Errors")]
    if errors and answer.status < 500:
        return read_errors(answer, errors, email, secrets)
    if not is_success(answer):
        return refuse(answer, answer.status, body or NOTHING, secrets)
    if text_in(message, "Status") != "success":
        return JUDGE.unreadable(answer)
    if sandbox:
        return Accepted(None, SANDBOX, final=True)
    return read_acceptance(message)


def read_acceptance(message: Object) -> Outcome:
    """Each receiver has an id of its own; there is one. It is a number too big for JavaScript."""
    receiver = as_object(next(iter(list_in(message, "To")), None))
    message_id = text_in(receiver, "MessageID")
    if not is_id(message_id) or message_id == "0":
        return JUDGE.no_id()
    return Accepted(message_id, "Mailjet: accepted")


def read_errors(
    answer: Answer, errors: list[Object], email: OutboundEmail, secrets: tuple[str, ...]
) -> Outcome:
    about = [one for error in errors for one in list_in(error, "ErrorRelatedTo")]
    if email.metadata and about and all(one in OURS for one in about):
        raise MetadataRefused("Mailjet refused the metadata")
    return refuse(answer, status_of(errors[0], answer.status), errors[0], secrets)


def status_of(error: Object, otherwise: int) -> int:
    """The status beside an error is the one that counts, if it is one of a refusal."""
    status = error.get("StatusCode")
    if isinstance(status, int) and 400 <= status < 500:
        return status
    return otherwise if otherwise >= 400 else 400


def refuse(answer: Answer, status: int, error: Object, secrets: tuple[str, ...]) -> Outcome:
    """With a wrong key no code matters."""
    code = "" if status == 401 else text_in(error, "ErrorCode")
    said = text_in(error, "ErrorMessage")
    return JUDGE.judge(Refused(status, code, said, answer.retry_after), secrets)
