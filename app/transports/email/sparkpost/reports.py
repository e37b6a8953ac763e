"""From one event as SparkPost writes it, in a webhook or in a list, to one of ours."""

import base64
from datetime import datetime

from app.transports.contract import EventType, ProviderEvent
from app.transports.email.api_events import (
    digest,
    from_iso,
    from_seconds,
    message_id_in,
    say,
    status_text,
)
from app.transports.email.sparkpost.events import meaning_of
from app.transports.http.objects import Object, object_in, text_in, texts_of


def event_of(event: Object) -> ProviderEvent:
    """``message_id`` here is the transmission's: the only one that a send is answered."""
    status, code = status_text(text_in(event, "type")), text_in(event, "bounce_class")
    kind, reason = meaning_of(status, code)
    tag = text_in(event, "campaign_id")
    words = [text_in(event, "raw_reason", "reason")]
    return ProviderEvent(
        event_key=event_key(event, status),
        type=kind,
        status=status,
        message_id=text_in(event, "transmission_id") or None,
        recipient=text_in(event, "raw_rcpt_to", "rcpt_to"),
        code=status_text(code or text_in(event, "error_code")),
        text=say("SparkPost", words, status),
        reason=reason,
        occurred_at=time_of(event),
        metadata=texts_of(object_in(event, "rcpt_meta")),
        tags=(tag,) if tag else (),
        raw=event,
    )


def event_key(event: Object, status: str) -> str:
    event_id = text_in(event, "event_id")
    if event_id:
        return digest(event_id, status, text_in(event, "bounce_class"))
    return digest(
        text_in(event, "transmission_id"),
        status,
        text_in(event, "bounce_class"),
        text_in(event, "rcpt_to", "raw_rcpt_to").lower(),
        text_in(event, "timestamp"),
        text_in(event, "target_link_url"),
    )


def time_of(event: Object) -> datetime | None:
    """Seconds in a webhook, ISO 8601 in a list."""
    written = text_in(event, "timestamp")
    return from_seconds(written) or from_iso(written)


def inbound_event(message: Object) -> ProviderEvent:
    """A message to us: its arrival is kept, its content is not."""
    recipient = text_in(message, "rcpt_to")
    message_id = message_id_in(read_message(object_in(message, "content")))
    return ProviderEvent(
        event_key=digest("inbound", message_id, recipient, text_in(message, "webhook_id")),
        type=EventType.INBOUND,
        status="relay_message",
        message_id=message_id,
        recipient=recipient,
        text="SparkPost: inbound message",
        raw={"message_id": message_id, "rcpt_to": recipient},
    )


def read_message(content: Object) -> str:
    written = text_in(content, "email_rfc822")
    if content.get("email_rfc822_is_base64") is not True:
        return written
    try:
        return base64.b64decode(written).decode("utf-8", "replace")
    except ValueError:
        return ""
