"""From one event as Mandrill writes it to one of ours."""

from datetime import datetime

from app.transports.contract import ProviderEvent
from app.transports.email.api_events import (
    UNKNOWN,
    Meaning,
    from_seconds,
    message_id_in,
    number_in,
    say,
    status_text,
    texts_in,
)
from app.transports.email.mandrill.events import BOUNCES, EVENTS, event_key
from app.transports.http.objects import Object, object_in, text_in, texts_of


def is_event(event: Object) -> bool:
    return bool(text_in(event, "event") or text_in(event, "type"))


def event_of(event: Object) -> ProviderEvent:
    """A change of the account's lists has a ``type`` in place of an event, and no message."""
    message = object_in(event, "msg")
    name = text_in(event, "event")
    if name == "inbound":
        return inbound_event(message)
    status = status_text(name or f"{text_in(event, 'type')}/{text_in(event, 'action')}")
    return message_event(event, message, status) if name else list_event(event, status)


def message_event(event: Object, message: Object, status: str) -> ProviderEvent:
    kind, reason = meaning_of(status, message)
    message_id = text_in(event, "_id") or text_in(message, "_id") or None
    recipient, moment = text_in(message, "email"), time_of(event)
    return ProviderEvent(
        event_key=event_key(status, message_id, recipient, moment, text_in(event, "url")),
        type=kind,
        status=status,
        message_id=message_id,
        recipient=recipient,
        code=status_text(text_in(message, "bounce_description")),
        text=say("Mandrill", [text_in(message, "diag")], status),
        reason=reason,
        occurred_at=moment,
        metadata=texts_of(object_in(message, "metadata")),
        tags=texts_in(message, "tags"),
        raw=event,
    )


def list_event(event: Object, status: str) -> ProviderEvent:
    entry = object_in(event, "reject") or object_in(event, "entry")
    recipient, moment = text_in(entry, "email"), time_of(event)
    return ProviderEvent(
        event_key=event_key(status, None, recipient, moment, text_in(entry, "created_at")),
        type=UNKNOWN[0],
        status=status,
        recipient=recipient,
        text=say("Mandrill", [text_in(entry, "detail")], status),
        occurred_at=moment,
        raw=event,
    )


def meaning_of(status: str, message: Object) -> Meaning:
    kind, reason = EVENTS.get(status, UNKNOWN)
    if reason != "bounced":
        return kind, reason
    return kind, BOUNCES.get(text_in(message, "bounce_description"), reason)


def time_of(event: Object) -> datetime | None:
    return from_seconds(number_in(event, "ts"))


def inbound_event(message: Object) -> ProviderEvent:
    """A message to us: its arrival is kept, its content is not."""
    recipient = text_in(message, "email")
    message_id = message_id_in(text_in(message, "raw_msg"))
    return ProviderEvent(
        event_key=event_key("inbound", message_id, recipient, time_of(message), ""),
        type=EVENTS["inbound"][0],
        status="inbound",
        message_id=message_id,
        recipient=recipient,
        text="Mandrill: inbound message",
        raw={"message_id": message_id, "email": recipient},
    )
