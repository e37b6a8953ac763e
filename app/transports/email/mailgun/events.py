"""What Mailgun reports about a message, by webhook and when it is asked. Tables of data.

Source: https://documentation.mailgun.com/docs/mailgun/user-manual/events/event-structure
"""

from collections.abc import Mapping
from email.utils import getaddresses

from app.transports.contract import EventType as E
from app.transports.contract import ProviderEvent
from app.transports.email.api_events import (
    UNKNOWN,
    Meaning,
    digest,
    from_seconds,
    number_in,
    say,
    status_text,
    texts_in,
)
from app.transports.http.objects import Object, object_in, text_in, texts_of

EVENTS: Mapping[str, Meaning] = {
    "accepted": (E.QUEUED, ""),
    "delivered": (E.DELIVERED, ""),
    "failed": (E.BOUNCED, "other"),
    "rejected": (E.REJECTED, "other"),
    "opened": (E.OPENED, ""),
    "clicked": (E.CLICKED, ""),
    "unsubscribed": (E.UNSUBSCRIBED, ""),
    "complained": (E.COMPLAINED, ""),
}

FAILURES: Mapping[str, Meaning] = {
    "bounce": (E.BOUNCED, "bounced"),
    "suppress-bounce": (E.BOUNCED, "bounced"),
    "suppress-unsubscribe": (E.REJECTED, "unsubscribed"),
    "suppress-complaint": (E.REJECTED, "spam"),
    "old": (E.BOUNCED, "timed_out"),
}
"""Permanent failures by their reason; of these only the first one is a bounce of now."""


def event_of(data: Object) -> ProviderEvent:
    status = status_text(text_in(data, "event"))
    kind, reason = meaning_of(status, data)
    delivery = object_in(data, "delivery-status")
    return ProviderEvent(
        event_key=event_key(data),
        type=kind,
        status=status,
        message_id=message_id_of(data),
        recipient=recipient_of(data),
        code=status_text(text_in(delivery, "code")),
        text=say("Mailgun", words_of(data, delivery), status),
        reason=reason,
        occurred_at=from_seconds(number_in(data, "timestamp")),
        metadata=texts_of(object_in(data, "user-variables")),
        tags=texts_in(data, "tags"),
        raw=data,
    )


def meaning_of(status: str, data: Object) -> Meaning:
    meaning = EVENTS.get(status, UNKNOWN)
    if status != "failed":
        return meaning
    if text_in(data, "severity") == "temporary":
        return (E.DEFERRED, "other")
    return FAILURES.get(text_in(data, "reason"), meaning)


def event_key(data: Object) -> str:
    """Mailgun's event id is only good for a day."""
    headers = object_in(object_in(data, "message"), "headers")
    said = [text_in(data, name) for name in ("event", "id", "severity", "reason", "recipient")]
    return digest(*said, number_in(data, "timestamp"), text_in(headers, "message-id"))


def message_id_of(data: Object) -> str | None:
    """The answer to a send has it in angle brackets, a report hasn't."""
    message_id = text_in(object_in(object_in(data, "message"), "headers"), "message-id")
    return bracket(message_id) if message_id else None


def bracket(message_id: str) -> str:
    return message_id if message_id.startswith("<") else f"<{message_id}>"


def recipient_of(data: Object) -> str:
    """A rejected message names nobody but in its headers."""
    headers = object_in(object_in(data, "message"), "headers")
    named = getaddresses([text_in(headers, "to")])
    return text_in(data, "recipient") or next((one for _, one in named if one), "")


def words_of(data: Object, delivery: Object) -> list[str]:
    said = (text_in(delivery, "description"), text_in(delivery, "message"))
    return [text_in(object_in(data, "reject"), "reason"), *dict.fromkeys(said)]
