"""From what Unisender Go answered to a send to the outcome of the attempt."""

from app.transports.contract import Accepted, OutboundEmail, Outcome
from app.transports.email.api_answers import ErrorCode, Judge, Refused, is_id, is_success
from app.transports.email.refusals import Refusal
from app.transports.email.unisender_go.codes import DUPLICATE, ERROR_CODES, NOBODY, REASONS
from app.transports.http import Answer
from app.transports.http.objects import NOTHING, Object, object_in, read_object, text_in

PROVIDER = "Unisender Go"
LEFT_OUT = {NOBODY: ErrorCode(Refusal.REJECTED, "the receiver is left out", quotes=True)}
JUDGE = Judge(PROVIDER, {**ERROR_CODES, **REASONS, **LEFT_OUT})
BAD_REQUEST = 400


def read_answer(answer: Answer, email: OutboundEmail, secrets: tuple[str, ...]) -> Outcome:
    """A success may leave the receiver out, and an error may say that it did nothing else."""
    body = read_object(answer.body)
    if answer.status < 500 and body is not None and (reason := reason_in(body, email)):
        return read_reason(reason, secrets)
    status = text_in(body, "status") if body is not None else ""
    if not is_success(answer) or status == "error":
        return read_error(answer, body or NOTHING, secrets)
    if body is None or status != "success":
        return JUDGE.unreadable(answer)
    job = text_in(body, "job_id")
    return Accepted(job, f"{PROVIDER}: accepted") if is_id(job) else JUDGE.no_id()


def reason_in(body: Object, email: OutboundEmail) -> str:
    """Why our receiver is left out; addresses come back in whatever case."""
    failed = object_in(body, "failed_emails")
    ours = email.receiver.email.lower()
    reasons = [text_in(failed, one) for one in failed if one.lower() == ours]
    return next((one for one in reasons if one != DUPLICATE), "")


def read_reason(reason: str, secrets: tuple[str, ...]) -> Outcome:
    code = reason if reason in REASONS else NOBODY
    return JUDGE.judge(Refused(BAD_REQUEST, code, reason), secrets)


def read_error(answer: Answer, body: Object, secrets: tuple[str, ...]) -> Outcome:
    """An error that comes as a success was refused all the same."""
    status = BAD_REQUEST if is_success(answer) else answer.status
    said = text_in(body, "message")
    return JUDGE.judge(Refused(status, text_in(body, "code"), said, answer.retry_after), secrets)
