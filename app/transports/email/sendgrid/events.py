"""What SendGrid reports about a message. Tables of data.

Source: https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event
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
    texts_in,
)
from app.transports.email.sendgrid.names import FIELDS, IDS
from app.transports.http.objects import Object, text_in, texts_of

EVENTS: Mapping[str, Meaning] = {
    "processed": (E.QUEUED, ""),
    "delivered": (E.DELIVERED, ""),
    "deferred": (E.DEFERRED, ""),
    "bounce": (E.BOUNCED, "bounced"),
    "dropped": (E.REJECTED, "other"),
    "open": (E.OPENED, ""),
    "click": (E.CLICKED, ""),
    "spamreport": (E.COMPLAINED, "spam"),
    "unsubscribe": (E.UNSUBSCRIBED, ""),
    "group_unsubscribe": (E.UNSUBSCRIBED, ""),
    "group_resubscribe": (E.SUBSCRIBED, ""),
}

DROPS: Mapping[str, str] = {
    "Invalid": "invalid",
    "Bounced Address": "bounced",
    "Unsubscribed Address": "unsubscribed",
    "Spam Reporting Address": "spam",
    "blocked": "blocked",
    "expired": "timed_out",
}
"""Why SendGrid did not send at all, in its words or as its type."""


def event_of(report: Object) -> ProviderEvent:
    status = status_text(text_in(report, "event"))
    kind, reason = meaning_of(status, report)
    message_id, recipient = text_in(report, *IDS, "smtp-id") or None, text_in(report, "email")
    return ProviderEvent(
        event_key=event_key(report),
        type=kind,
        status=status,
        message_id=message_id,
        recipient=recipient,
        code=status_text(text_in(report, "status")),
        text=say("SendGrid", [text_in(report, "reason", "response")], status),
        reason=reason,
        occurred_at=from_seconds(number_in(report, "timestamp")),
        metadata=metadata_of(report),
        tags=tags_of(report),
        raw=report,
    )


def meaning_of(status: str, report: Object) -> Meaning:
    kind, reason = EVENTS.get(status, UNKNOWN)
    if kind is E.BOUNCED and text_in(report, "type") == "blocked":
        return kind, "blocked"
    if kind is E.REJECTED:
        said = (text_in(report, "type"), text_in(report, "reason"))
        reason = next((DROPS[one] for one in said if one in DROPS), reason)
    return kind, reason


def event_key(report: Object) -> str:
    """Each event has an id. Without one it is told apart by what is said."""
    known = text_in(report, "sg_event_id")
    names = ("event", "email", "sg_message_id", "smtp-id", *IDS, "timestamp", "url")
    said = [number_in(report, name) for name in names]
    return digest(text_in(report, "event"), known) if known else digest(*said)


def metadata_of(report: Object) -> dict[str, str]:
    """Custom arguments stand beside SendGrid's own fields."""
    return {name: value for name, value in texts_of(report).items() if name not in FIELDS}


def tags_of(report: Object) -> tuple[str, ...]:
    one = report.get("category")
    return (one,) if isinstance(one, str) and one else texts_in(report, "category")
