"""What Scaleway reports about a message, by webhook and when it is asked. Tables of data.

Source: https://www.scaleway.com/en/docs/transactional-email/reference-content/webhook-events-payloads/
"""

from collections.abc import Mapping

from app.transports.contract import EventType as E
from app.transports.email.api_events import Meaning

EVENTS: Mapping[str, Meaning] = {
    "email_queued": (E.QUEUED, ""),
    "email_deferred": (E.DEFERRED, ""),
    "email_delivered": (E.DELIVERED, ""),
    "email_dropped": (E.BOUNCED, "bounced"),
    "email_mailbox_not_found": (E.BOUNCED, "invalid"),
    "email_spam": (E.REJECTED, "spam"),
    "email_blocklisted": (E.REJECTED, "blocked"),
}

STATUSES: Mapping[str, Meaning] = {
    "new": (E.QUEUED, ""),
    "sending": (E.QUEUED, ""),
    "sent": (E.SENT, ""),
    "failed": (E.FAILED, ""),
    "canceled": (E.FAILED, ""),
}
"""What a message is said to be when it is asked for. ``sent`` is not taken for delivered: no
page says that the receiver's server took it by then."""
