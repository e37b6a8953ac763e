"""From what SparkPost answered to a send to the outcome of the attempt."""

from app.transports.contract import (
    Accepted,
    MetadataRefused,
    OutboundEmail,
    Outcome,
    Rejected,
    RejectKind,
)
from app.transports.email.api_answers import Judge, Refused, is_id, is_success
from app.transports.email.sparkpost.codes import ERROR_CODES, LIMIT_STATUS, OVER_LIMIT
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

JUDGE = Judge("SparkPost", ERROR_CODES)
NONE = "0"


def read_answer(answer: Answer, email: OutboundEmail, secrets: tuple[str, ...]) -> Outcome:
    """Raises :class:`MetadataRefused` when that alone was refused."""
    body = read_object(answer.body)
    if not is_success(answer):
        return read_refusal(answer, body or NOTHING, email, secrets)
    results = object_in(body, "results") if body is not None else NOTHING
    accepted = text_in(results, "total_accepted_recipients")
    rejected = text_in(results, "total_rejected_recipients")
    if accepted == NONE and rejected not in ("", NONE):
        return read_rejection(results)
    if rejected != NONE or accepted in ("", NONE):
        return JUDGE.unreadable(answer)
    message_id = text_in(results, "id")
    return Accepted(message_id, "SparkPost: accepted") if is_id(message_id) else JUDGE.no_id()


def read_rejection(results: Object) -> Outcome:
    """A success that takes nobody. Its errors may say why; no page tells of them."""
    errors = list_in(results, "rcpt_to_errors")
    code = text_in(as_object(errors[0]), "code") if errors else ""
    known = ERROR_CODES.get(code)
    why = known.meaning if known else "the receiver is refused"
    return Rejected(f"SparkPost: {why}.", code if known else "rejected", RejectKind.REJECTED)


def read_refusal(
    answer: Answer, body: Object, email: OutboundEmail, secrets: tuple[str, ...]
) -> Outcome:
    errors = [as_object(one) for one in list_in(body, "errors")]
    first = errors[0] if errors else NOTHING
    words = (text_in(first, "message"), text_in(first, "description"))
    said = ": ".join(word for word in words if word)
    if answer.status < 500 and email.metadata and "metadata" in said.lower():
        raise MetadataRefused("SparkPost refused the metadata")
    code = text_in(first, "code")
    if answer.status == LIMIT_STATUS and code not in ERROR_CODES:
        code = OVER_LIMIT
    return JUDGE.judge(Refused(answer.status, code, said, answer.retry_after), secrets)
