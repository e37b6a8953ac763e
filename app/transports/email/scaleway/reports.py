"""From one report as Scaleway writes it to one of our events."""

from app.transports.contract import ProviderEvent
from app.transports.email.api_events import UNKNOWN, digest, from_iso, say, status_text
from app.transports.email.scaleway.events import EVENTS
from app.transports.email.scaleway.message import METADATA, TAGS
from app.transports.http.objects import (
    NOTHING,
    Object,
    as_object,
    list_in,
    read_array,
    read_object,
    text_in,
    texts_of,
)


def event_of(report: Object) -> ProviderEvent:
    status = status_text(text_in(report, "type"))
    kind, reason = EVENTS.get(status, UNKNOWN)
    words = [text_in(report, "email_response_message") or text_in(report, "email_error")]
    return ProviderEvent(
        event_key=event_key(report, status),
        type=kind,
        status=status,
        message_id=text_in(report, "email_id") or None,
        recipient=text_in(report, "email_to"),
        code=status_text(text_in(report, "email_response_code")),
        text=say("Scaleway", words, status),
        reason=reason,
        occurred_at=from_iso(text_in(report, "created_at")),
        metadata=texts_of(read_object(header_in(report, METADATA)) or NOTHING),
        tags=tags_in(report),
        raw={name: value for name, value in report.items() if name != "email_headers"},
    )


def event_key(report: Object, status: str) -> str:
    if event_id := text_in(report, "id"):
        return digest(event_id, status)
    email_id, tries = text_in(report, "email_id"), text_in(report, "email_try_count")
    return digest(email_id, status, text_in(report, "email_to").lower(), tries)


def header_in(report: Object, name: str) -> bytes:
    """A header of the message; the page calls its name ``name``, the API ``key``."""
    for header in map(as_object, list_in(report, "email_headers")):
        if text_in(header, "name", "key").lower() == name.lower():
            return text_in(header, "value").encode("utf-8", "replace")
    return b""


def tags_in(report: Object) -> tuple[str, ...]:
    listed = read_array(header_in(report, TAGS)) or []
    return tuple(tag for tag in listed if isinstance(tag, str) and tag)
