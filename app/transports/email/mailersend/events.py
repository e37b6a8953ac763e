"""What MailerSend reports about a message. Tables of data.

Source: https://developers.mailersend.com/api/v1/webhooks.html
"""

from collections.abc import Mapping

from app.transports.contract import EventType as E
from app.transports.contract import ProviderEvent
from app.transports.email.api_events import (
    UNKNOWN,
    Meaning,
    digest,
    from_iso,
    say,
    status_text,
    texts_in,
)
from app.transports.email.inbound import id_in
from app.transports.email.mailersend.keys import from_tags
from app.transports.http.objects import Object, as_object, list_in, object_in, text_in

EVENTS: Mapping[str, Meaning] = {
    "sent": (E.SENT, ""),
    "delivered": (E.DELIVERED, ""),
    "soft_bounced": (E.BOUNCED, "bounced"),
    "hard_bounced": (E.BOUNCED, "bounced"),
    "deferred": (E.DEFERRED, ""),
    "opened": (E.OPENED, ""),
    "opened_unique": (E.OPENED, ""),
    "clicked": (E.CLICKED, ""),
    "clicked_unique": (E.CLICKED, ""),
    "unsubscribed": (E.UNSUBSCRIBED, "unsubscribed"),
    "spam_complaint": (E.COMPLAINED, "spam"),
}
"""A soft bounce is the end of a message at MailerSend."""

ACTIVITY = "activity."
INBOUND = "inbound.message"
TEST = "webhook.test"


def event_of(report: Object) -> ProviderEvent:
    """Of a report about what a message or its receiver did."""
    data = object_in(report, "data")
    email, morph = object_in(data, "email"), object_in(data, "morph")
    status = status_text(text_in(data, "type"))
    kind, reason = EVENTS.get(status, UNKNOWN)
    metadata, tags = from_tags(texts_in(email, "tags"))
    message_id = text_in(object_in(email, "message"), "id") or None
    recipient = text_in(object_in(email, "recipient"), "email")
    return ProviderEvent(
        event_key=event_key(data, status, message_id, recipient),
        type=kind,
        status=status,
        message_id=message_id,
        recipient=recipient,
        text=say("MailerSend", words_of(morph), status),
        reason=reason,
        occurred_at=from_iso(text_in(data, "created_at")),
        metadata=metadata,
        tags=tags,
        raw=report,
    )


def event_key(data: Object, status: str, message_id: str | None, recipient: str) -> str:
    """Each activity has an id. Without one it is told apart by what is said."""
    known = text_in(data, "id")
    said = (message_id, recipient.lower(), text_in(data, "created_at"))
    return digest(status, known) if known else digest(status, *said)


def words_of(morph: Object) -> list[str]:
    said = (text_in(morph, "readable_reason"), text_in(morph, "reason"))
    return list(dict.fromkeys(said))


def inbound_event(report: Object) -> ProviderEvent:
    """A message to us: its arrival is kept, its content is not."""
    data = object_in(report, "data")
    receivers = list_in(object_in(data, "recipients"), "rcptTo")
    message_id = id_in(text_in(data, "raw"))
    return ProviderEvent(
        event_key=digest(INBOUND, text_in(data, "id"), message_id),
        type=E.INBOUND,
        status=INBOUND,
        message_id=message_id,
        recipient=text_in(as_object(next(iter(receivers), None)), "email"),
        text="MailerSend: inbound message",
        occurred_at=from_iso(text_in(data, "created_at")),
        raw={"id": text_in(data, "id"), "message_id": message_id},
    )
