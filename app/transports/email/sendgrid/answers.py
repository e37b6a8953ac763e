"""From what SendGrid answered to a send to the outcome of the attempt.

Source: https://www.twilio.com/docs/sendgrid/api-reference/how-to-use-the-sendgrid-v3-api/responses
"""

from email.utils import formatdate

from app.transports.contract import Accepted, MetadataRefused, OutboundEmail, Outcome
from app.transports.email.api_answers import Judge, Refused, is_id, is_success
from app.transports.http import Answer
from app.transports.http.answer import wait_in_seconds
from app.transports.http.objects import NOTHING, as_object, list_in, read_object, text_in

JUDGE = Judge("SendGrid", {})
SANDBOX = "SendGrid's sandbox found nothing wrong with the message and sent nothing."


def read_answer(
    answer: Answer, email: OutboundEmail, secrets: tuple[str, ...], *, sandbox: bool = False
) -> Outcome:
    """The id of a message is the one that we gave it: its reports bring that back.

    Raises :class:`MetadataRefused` when that alone was refused.
    """
    if not is_success(answer):
        return read_refusal(answer, email, secrets)
    if sandbox:
        return Accepted(str(email.provider_key), SANDBOX, final=True)
    theirs = answer.headers.get("x-message-id", "")
    if not is_id(theirs):
        return JUDGE.no_id()
    return Accepted(str(email.provider_key), f"SendGrid: accepted as {theirs}")


def read_refusal(answer: Answer, email: OutboundEmail, secrets: tuple[str, ...]) -> Outcome:
    errors = [as_object(one) for one in list_in(read_object(answer.body) or NOTHING, "errors")]
    fields = [text_in(error, "field") for error in errors]
    if email.metadata and answer.status == 400 and fields and all(map(is_metadata, fields)):
        raise MetadataRefused("SendGrid refused the metadata")
    said = " ".join(text_in(error, "message") for error in errors)
    return JUDGE.judge(Refused(answer.status, "", said, wait_of(answer)), secrets)


def is_metadata(field: str) -> bool:
    return "custom_args" in field


def wait_of(answer: Answer) -> float | None:
    """SendGrid names the second since 1970 at which it may be asked again."""
    reset = answer.headers.get("x-ratelimit-reset", "")
    if answer.retry_after is not None or not (reset.isascii() and reset.isdigit()):
        return answer.retry_after
    if len(reset) > 10:
        return None
    return wait_in_seconds(formatdate(int(reset), usegmt=True), answer.headers.get("date"))
