"""From what Twilio replied to a send to the outcome of the attempt."""

from app.transports.contract import Accepted, Outcome, Rejected, RejectKind, TryLater, Unknown
from app.transports.sms.twilio_codes import ERROR_CODES, ErrorClass, classify, explain
from app.transports.sms.twilio_config import SID
from app.transports.sms.twilio_replies import Message, Refusal, Reply, Unreadable

FAILED_AT_ONCE = frozenset({"failed", "undelivered", "canceled"})
"""First statuses that are final. Twilio sends no callback for the first status of a message."""

MAYBE_SENT = "The message may have been sent; look for it in Twilio's log before you send it again."


def outcome_of(reply: Reply, account_sid: str) -> Outcome:
    match reply:
        case Message():
            return outcome_of_message(reply, account_sid)
        case Refusal():
            return outcome_of_refusal(reply)
        case Unreadable(status):
            text = f"Twilio's answer (HTTP {status}) can't be read. {MAYBE_SENT}"
            return Unknown(text, f"http_{status}")


def outcome_of_message(message: Message, account_sid: str) -> Outcome:
    if not SID.fullmatch(message.sid):
        return Unknown(f"Twilio's answer names no message. {MAYBE_SENT}")
    if message.account_sid != account_sid:
        return Unknown(f"Twilio's answer names another account than ours. {MAYBE_SENT}")
    if message.status in FAILED_AT_ONCE:
        code = message.error_code
        return Rejected(explain(code) if code else f"Twilio: {message.status}.", code)
    return Accepted(message.sid, f"Twilio: {message.status}")


def outcome_of_refusal(refusal: Refusal) -> Outcome:
    """SMS are not repeated after an error of Twilio's: only what it surely did not take is."""
    code, text = describe(refusal)
    match classify(refusal.status, refusal.code):
        case ErrorClass.TRY_LATER:
            return TryLater(text, code, refusal.retry_after)
        case ErrorClass.UNKNOWN:
            return Unknown(f"{text} {MAYBE_SENT}", code)
        case kind:
            return Rejected(text, code, RejectKind(kind))


def describe(refusal: Refusal) -> tuple[str, str]:
    """The code to show and its text; the SDK gives the HTTP status where Twilio names no code."""
    if refusal.code in ERROR_CODES or refusal.code not in {"", str(refusal.status)}:
        return refusal.code, explain(refusal.code)
    return f"http_{refusal.status}", f"Twilio answered HTTP {refusal.status}."
