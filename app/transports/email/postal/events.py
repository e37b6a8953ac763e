"""What Postal reports about a message, by webhook and when it is asked. Tables of data.

Source: https://docs.postalserver.io/developer/webhooks
"""

import re
from collections.abc import Mapping
from uuid import UUID

from app.transports.contract import EventType as E
from app.transports.email.api_events import UNKNOWN, Meaning

STATUSES: Mapping[str, Meaning] = {
    "Sent": (E.DELIVERED, ""),
    "SoftFail": (E.DEFERRED, ""),
    "HardFail": (E.FAILED, ""),
    "Held": (E.QUEUED, ""),
    "Bounced": (E.BOUNCED, "bounced"),
}
"""What a delivery came to. ``Sent`` is that the receiver's server took it; a message that is held
waits for a person."""

EVENTS: Mapping[str, Meaning] = {
    "MessageSent": STATUSES["Sent"],
    "MessageDelayed": STATUSES["SoftFail"],
    "MessageDeliveryFailed": STATUSES["HardFail"],
    "MessageHeld": STATUSES["Held"],
    "MessageBounced": (E.BOUNCED, "bounced"),
    "MessageLinkClicked": (E.CLICKED, ""),
    "MessageLoaded": (E.OPENED, ""),
}

REFUSED = re.compile(r"5[0-9][0-9]\b")
"""How the words of a receiver's server begin when it refuses a message for good."""

OUR_MESSAGE_ID = re.compile(r"<?item-([0-9a-f-]{36})@[^>\s]+>?")


def meaning_of(event: str, status: str, output: str) -> Meaning:
    """By the outcome of the delivery if it is told, else by the name of the event. A failure that
    the receiver's server speaks of is a bounce; others are Postal's own."""
    kind, reason = STATUSES.get(status) or EVENTS.get(event, UNKNOWN)
    if kind is E.FAILED and REFUSED.match(output.strip()):
        return E.BOUNCED, "bounced"
    return kind, reason


def item_in(message_id: str) -> UUID | None:
    """The item whose Message-ID this is."""
    found = OUR_MESSAGE_ID.fullmatch(message_id)
    try:
        return UUID(found[1]) if found else None
    except ValueError:
        return None
