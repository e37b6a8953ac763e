"""Reading what Brevo lists about a message.

Source: https://developers.brevo.com/reference/getemaileventreport
"""

from app.transports.contract import AttemptRef, CannotTell, EventType, Found, LookUp, ProviderEvent
from app.transports.email.api_events import from_iso, say
from app.transports.email.brevo.events import EVENTS, LISTED, event_key
from app.transports.http import Answer
from app.transports.http.objects import Object, objects_in, read_object, text_in

PAGE = 100
"""How many events of one message are read."""


def read_events(answer: Answer, attempt: AttemptRef, message_id: str) -> LookUp:
    """An empty list tells nothing: Brevo shows events after a while, and keeps them for a time."""
    listed = read_object(answer.body) if answer.status == 200 else None
    rows = objects_in(listed, "events") if listed is not None else None
    known = [row for row in rows or [] if is_about(row, message_id)]
    if not known:
        return CannotTell(f"Brevo lists nothing about the message (HTTP {answer.status}).")
    return Found(tuple(event_of(row, attempt, message_id) for row in known), message_id)


def is_about(row: Object, message_id: str) -> bool:
    """The filter is Brevo's; one that it ignored would bring other messages."""
    return text_in(row, "messageId") == message_id and text_in(row, "event") in LISTED


def event_of(row: Object, attempt: AttemptRef, message_id: str) -> ProviderEvent:
    status = LISTED[text_in(row, "event")]
    kind, reason = EVENTS.get(status, (EventType.UNKNOWN, ""))
    recipient, moment = text_in(row, "email") or attempt.recipient, from_iso(text_in(row, "date"))
    return ProviderEvent(
        event_key=event_key(status, message_id, recipient, moment, text_in(row, "link")),
        type=kind,
        status=status,
        message_id=message_id,
        item_key=attempt.item_id,
        attempt_key=attempt.attempt_id,
        recipient=recipient,
        text=say("Brevo", [text_in(row, "reason")], status),
        reason=reason,
        occurred_at=moment,
        raw=row,
    )
