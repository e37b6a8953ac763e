"""What Brevo reports about a message, by webhook and when it is asked. Tables of data.

Source: https://developers.brevo.com/docs/transactional-webhooks
"""

from collections.abc import Mapping
from datetime import datetime

from app.transports.contract import EventType as E
from app.transports.email.api_events import Meaning, digest

EVENTS: Mapping[str, Meaning] = {
    "request": (E.QUEUED, ""),
    "delivered": (E.DELIVERED, ""),
    "hard_bounce": (E.BOUNCED, "bounced"),
    "soft_bounce": (E.BOUNCED, "bounced"),
    "blocked": (E.REJECTED, "blocked"),
    "spam": (E.COMPLAINED, "spam"),
    "complaint": (E.COMPLAINED, "spam"),
    "invalid_email": (E.BOUNCED, "invalid"),
    "deferred": (E.DEFERRED, ""),
    "opened": (E.OPENED, ""),
    "unique_opened": (E.OPENED, ""),
    "proxy_open": (E.OPENED, ""),
    "unique_proxy_open": (E.OPENED, ""),
    "click": (E.CLICKED, ""),
    "unsubscribe": (E.UNSUBSCRIBED, ""),
    "error": (E.FAILED, ""),
    "list_addition": (E.SUBSCRIBED, ""),
}
"""A soft bounce is the end of a message at Brevo."""

LISTED: Mapping[str, str] = {
    "requests": "request",
    "delivered": "delivered",
    "hardBounces": "hard_bounce",
    "softBounces": "soft_bounce",
    "bounces": "hard_bounce",
    "blocked": "blocked",
    "spam": "spam",
    "invalid": "invalid_email",
    "deferred": "deferred",
    "opened": "opened",
    "loadedByProxy": "proxy_open",
    "clicks": "click",
    "unsubscribed": "unsubscribe",
    "error": "error",
}
"""What the list of events calls them, and the name that the webhook has for it
(https://developers.brevo.com/reference/getemaileventreport)."""

ONCE = frozenset({"request", "delivered", "hard_bounce", "soft_bounce", "blocked", "invalid_email"})
"""A message has these at most once, whatever time the two ways of hearing of them give."""


def event_key(
    status: str, message_id: str | None, recipient: str, moment: datetime | None, link: str
) -> str:
    """Brevo's reports have no id of their own: ``id`` is the webhook's."""
    said = [message_id, status, recipient.lower()]
    if status not in ONCE:
        said += [moment.isoformat("T", "seconds") if moment else "", link]
    return digest(*said)
