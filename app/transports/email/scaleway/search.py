"""Reading what became of an email whose id is known.

Source: https://www.scaleway.com/en/developers/api/transactional-email/#path-emails-get-an-email.
Lists of emails show no headers, so that one without an id can't be told apart.
"""

from app.transports.contract import AttemptRef, CannotTell, Found, LookUp
from app.transports.contract import ProviderEvent as Event
from app.transports.email.api_events import digest, from_iso, say
from app.transports.email.scaleway.events import STATUSES
from app.transports.http import Answer
from app.transports.http.objects import NOTHING, Object, as_object, list_in, read_object, text_in


def read_email(answer: Answer, attempt: AttemptRef, message_id: str) -> LookUp:
    email = read_object(answer.body) if answer.status == 200 else None
    if email is None or text_in(email, "id") != message_id:
        return CannotTell(f"Scaleway does not show the message (HTTP {answer.status}).")
    if text_in(email, "status") not in STATUSES:
        return CannotTell("Scaleway does not say what became of the message.")
    return Found((event_of(email, attempt, message_id),), message_id)


def event_of(email: Object, attempt: AttemptRef, message_id: str) -> Event:
    status = text_in(email, "status")
    kind, reason = STATUSES[status]
    tried = last_try(email)
    return Event(
        event_key=digest("status", message_id, status),
        type=kind,
        status=status,
        message_id=message_id,
        item_key=attempt.item_id,
        attempt_key=attempt.attempt_id,
        recipient=text_in(email, "mail_rcpt", "rcpt_to") or attempt.recipient,
        code=text_in(tried, "code")[:200],
        text=say("Scaleway", [text_in(tried, "message")], status),
        reason=reason,
        occurred_at=from_iso(text_in(email, "updated_at")),
        raw={"id": message_id, "status": status, "last_try": dict(tried)},
    )


def last_try(email: Object) -> Object:
    tries = [as_object(one) for one in list_in(email, "last_tries")]
    return tries[-1] if tries else NOTHING
