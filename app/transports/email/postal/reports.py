"""From one report as Postal writes it to one of our events."""

import base64
from datetime import datetime

from app.transports.contract import EventType, ProviderEvent
from app.transports.email.api_events import (
    digest,
    from_seconds,
    message_id_in,
    number_in,
    say,
    status_text,
)
from app.transports.email.postal.events import item_in, meaning_of
from app.transports.http.objects import Object, object_in, text_in


def message_in(report: Object) -> Object:
    """The message that we sent: a bounce names it beside the one that came back."""
    payload = object_in(report, "payload")
    return object_in(payload, "original_message") or object_in(payload, "message")


def is_about_ours(report: Object) -> bool:
    return text_in(message_in(report), "direction") != "incoming"


def event_of(report: Object) -> ProviderEvent:
    payload, message = object_in(report, "payload"), message_in(report)
    name, status = text_in(report, "event"), text_in(payload, "status")
    output = text_in(payload, "output")
    kind, reason = meaning_of(name, status, output)
    tag = text_in(message, "tag")
    return ProviderEvent(
        event_key=event_key(report),
        type=kind,
        status=status_text(name or status),
        message_id=text_in(message, "id") or None,
        item_key=item_in(text_in(message, "message_id")),
        recipient=text_in(message, "to"),
        code=status_text(status),
        text=say("Postal", [text_in(payload, "details"), output], name),
        reason=reason,
        occurred_at=time_of(report),
        tags=(tag,) if tag else (),
        raw=report,
    )


def event_key(report: Object) -> str:
    payload, name = object_in(report, "payload"), text_in(report, "event")
    if uuid := text_in(report, "uuid"):
        return digest(uuid, name)
    return digest(
        name,
        text_in(payload, "status"),
        text_in(message_in(report), "id"),
        number_in(report, "timestamp") or number_in(payload, "timestamp"),
        text_in(payload, "url"),
    )


def time_of(report: Object) -> datetime | None:
    """The second; Postal writes fractions here and none there."""
    written = number_in(report, "timestamp") or number_in(object_in(report, "payload"), "timestamp")
    moment = from_seconds(written)
    return moment and moment.replace(microsecond=0)


def inbound_event(report: Object) -> ProviderEvent:
    """A message to us: its arrival is kept, its content is not."""
    recipient = text_in(report, "rcpt_to")
    message_id = message_id_in(read_message(report))
    return ProviderEvent(
        event_key=digest("inbound", text_in(report, "id"), message_id, recipient),
        type=EventType.INBOUND,
        status="inbound",
        message_id=message_id,
        recipient=recipient,
        text="Postal: inbound message",
        raw={"id": text_in(report, "id"), "message_id": message_id, "rcpt_to": recipient},
    )


def read_message(report: Object) -> str:
    written = text_in(report, "message")
    if report.get("base64") is not True:
        return written
    try:
        return base64.b64decode(written).decode("utf-8", "replace")
    except ValueError:
        return ""
