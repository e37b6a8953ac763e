"""What Unisender Go reports about a message. Tables of data.

Source: https://godocs.unisender.ru/web-api-ref#callback-format
"""

from collections.abc import Mapping

from app.transports.contract import EventType as E
from app.transports.email.api_events import UNKNOWN, Meaning, digest

EVENTS: Mapping[str, Meaning] = {
    "sent": (E.SENT, ""),
    "delivered": (E.DELIVERED, ""),
    "opened": (E.OPENED, ""),
    "clicked": (E.CLICKED, ""),
    "unsubscribed": (E.UNSUBSCRIBED, ""),
    "subscribed": (E.SUBSCRIBED, ""),
    "spam": (E.COMPLAINED, ""),
    "soft_bounced": (E.DEFERRED, ""),
    "hard_bounced": (E.BOUNCED, "bounced"),
}
"""A soft bounce is tried again, and ends as one of the others."""

REASONS: Mapping[str, str] = {
    "ok": "",
    "err_will_retry": "",
    "err_user_unknown": "bounced",
    "err_user_inactive": "bounced",
    "err_mailbox_discarded": "bounced",
    "err_mailbox_full": "bounced",
    "err_too_large": "bounced",
    "err_unreachable": "bounced",
    "err_skip_letter": "bounced",
    "err_domain_inactive": "bounced",
    "err_destination_misconfigured": "bounced",
    "err_spam_rejected": "spam",
    "err_spam_skipped": "spam",
    "err_blacklisted": "blocked",
    "err_unsubscribed": "unsubscribed",
    "err_delivery_failed": "other",
    "err_lost": "other",
}
"""By ``delivery_status``."""


def meaning_of(status: str, delivery_status: str) -> Meaning:
    kind, reason = EVENTS.get(status, UNKNOWN)
    if delivery_status in REASONS:
        return kind, REASONS[delivery_status]
    return kind, "other" if delivery_status.startswith("err") else reason


def event_key(
    meaning: tuple[str, str], message_id: str | None, recipient: str, at: str, url: str
) -> str:
    """By status and delivery status. Reports have no id of their own: the header ``ID`` is another
    one for each repetition, and all else of it is the same."""
    return digest(message_id, *meaning, recipient.lower(), at, url)
