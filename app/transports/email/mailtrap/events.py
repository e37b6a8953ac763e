"""What Mailtrap reports about a message. Tables of data.

Source: https://help.mailtrap.io/article/102-webhooks
"""

from collections.abc import Mapping

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
)
from app.transports.http.objects import Object, object_in, text_in, texts_of

EVENTS: Mapping[str, Meaning] = {
    "delivery": (E.DELIVERED, ""),
    "open": (E.OPENED, ""),
    "click": (E.CLICKED, ""),
    "bounce": (E.BOUNCED, "bounced"),
    "soft bounce": (E.DEFERRED, "other"),
    "spam": (E.COMPLAINED, "spam"),
    "unsubscribe": (E.UNSUBSCRIBED, "unsubscribed"),
    "reject": (E.REJECTED, "blocked"),
    "suspension": (E.DEFERRED, "other"),
}


def event_of(report: Object) -> ProviderEvent:
    status = status_text(text_in(report, "event"))
    kind, reason = EVENTS.get(status.replace("_", " "), UNKNOWN)
    message_id, recipient = text_in(report, "message_id") or None, text_in(report, "email")
    tag = text_in(report, "category")
    return ProviderEvent(
        event_key=event_key(report, status, message_id, recipient),
        type=kind,
        status=status,
        message_id=message_id,
        recipient=recipient,
        code=status_text(text_in(report, "response_code")),
        text=say("Mailtrap", words_of(report), status),
        reason=reason,
        occurred_at=from_seconds(number_in(report, "timestamp")),
        metadata=texts_of(object_in(report, "custom_variables")),
        tags=(tag,) if tag else (),
        raw=report,
    )


def event_key(report: Object, status: str, message_id: str | None, recipient: str) -> str:
    """Each event has an id. Without one it is told apart by what is said."""
    known = text_in(report, "event_id")
    said = (message_id, recipient.lower(), number_in(report, "timestamp"), text_in(report, "url"))
    return digest(status, known) if known else digest(status, *said)


def words_of(report: Object) -> list[str]:
    return [text_in(report, name) for name in ("reason", "response", "bounce_category")]
