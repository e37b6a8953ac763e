"""What Mandrill reports about a message, by webhook and when it is asked. Tables of data.

Source: https://mailchimp.com/developer/transactional/docs/webhooks/
"""

from collections.abc import Mapping
from datetime import datetime

from app.transports.contract import EventType as E
from app.transports.email.api_events import Meaning, digest

EVENTS: Mapping[str, Meaning] = {
    "send": (E.SENT, ""),
    "delivered": (E.DELIVERED, ""),
    "deferral": (E.DEFERRED, ""),
    "hard_bounce": (E.BOUNCED, "bounced"),
    "soft_bounce": (E.BOUNCED, "bounced"),
    "reject": (E.REJECTED, "blocked"),
    "spam": (E.COMPLAINED, "spam"),
    "unsub": (E.UNSUBSCRIBED, "unsubscribed"),
    "open": (E.OPENED, ""),
    "click": (E.CLICKED, ""),
    "inbound": (E.INBOUND, ""),
}
"""``delivered`` comes only where the webhook asks for it; without it a message stays sent."""

BOUNCES: Mapping[str, str] = {
    "bad_mailbox": "bounced",
    "invalid_domain": "invalid",
    "mailbox_full": "bounced",
    "general": "bounced",
    "spam": "spam",
    "spam_block": "spam",
}
"""Kinds of bounces and the normalised reason (``msg.bounce_description``)."""

STATES: Mapping[str, str] = {
    "sent": "send",
    "delivered": "delivered",
    "deferred": "deferral",
    "bounced": "hard_bounce",
    "soft-bounced": "soft_bounce",
    "rejected": "reject",
    "spam": "spam",
    "unsub": "unsub",
}
"""What a message is said to be when it is asked for, and the event that says so. A state that
isn't listed is news of its having been sent."""

OFTEN = frozenset({"deferral", "open", "click"})
"""What may happen to a message more than once."""


def event_key(
    status: str, message_id: str | None, recipient: str, moment: datetime | None, link: str
) -> str:
    """Mandrill's events have no id of their own."""
    said = [message_id, status, recipient.lower()]
    if status in OFTEN or message_id is None:
        said += [moment.isoformat("T", "seconds") if moment else "", link]
    return digest(*said)
