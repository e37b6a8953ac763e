"""What Resend reports about a message, by webhook and when it is asked. Tables of data.

Source: https://resend.com/docs/dashboard/webhooks/event-types
"""

from collections.abc import Mapping
from email.utils import getaddresses
from typing import cast

from app.transports.contract import EventType as E
from app.transports.contract import ProviderEvent
from app.transports.email.api_events import (
    UNKNOWN,
    Meaning,
    digest,
    from_iso,
    say,
    status_text,
)
from app.transports.email.resend.message import METADATA, TAGS
from app.transports.http.objects import (
    Object,
    as_object,
    list_in,
    object_in,
    read_json,
    text_in,
    texts_of,
)

EVENTS: Mapping[str, Meaning] = {
    "email.scheduled": (E.QUEUED, ""),
    "email.queued": (E.QUEUED, ""),
    "email.sent": (E.SENT, ""),
    "email.delivered": (E.DELIVERED, ""),
    "email.delivery_delayed": (E.DEFERRED, ""),
    "email.bounced": (E.BOUNCED, "other"),
    "email.complained": (E.COMPLAINED, "spam"),
    "email.opened": (E.OPENED, ""),
    "email.clicked": (E.CLICKED, ""),
    "email.failed": (E.FAILED, ""),
    "email.canceled": (E.FAILED, ""),
    "email.suppressed": (E.REJECTED, "blocked"),
    "email.received": (E.INBOUND, ""),
}

BOUNCE_WORDS: tuple[tuple[str, str], ...] = (
    ("suppressed sending", "blocked"),
    ("bounce message", "bounced"),
)
"""What a bounce's sentence says of its reason (django-anymail)."""

REPEATABLE = frozenset({"email.delivery_delayed", "email.opened", "email.clicked"})
"""Everything else happens to a message once, whatever time the two ways of hearing of it give."""


def event_of(report: Object) -> ProviderEvent:
    status = status_text(text_in(report, "type"))
    data = object_in(report, "data")
    message_id, recipient = text_in(data, "email_id") or None, first_receiver(data)
    kind, reason = meaning_of(status, data)
    return ProviderEvent(
        event_key=event_key(report, data, status, recipient),
        type=kind,
        status=status,
        message_id=message_id,
        recipient=recipient,
        code=status_text(text_in(object_in(data, "bounce"), "subType")),
        text=say("Resend", words_of(data), status),
        reason=reason,
        occurred_at=from_iso(text_in(report, "created_at")),
        metadata=metadata_of(data),
        tags=tags_of(data),
        raw=report if kind is not E.INBOUND else {"email_id": message_id},
    )


def meaning_of(status: str, data: Object) -> Meaning:
    kind, reason = EVENTS.get(status, UNKNOWN)
    if kind is E.BOUNCED:
        said = text_in(object_in(data, "bounce"), "message")
        reason = next((meant for words, meant in BOUNCE_WORDS if words in said), reason)
    return kind, reason


def event_key(report: Object, data: Object, status: str, recipient: str) -> str:
    said = [text_in(data, "email_id"), status, recipient.lower()]
    if status in REPEATABLE:
        said += [text_in(report, "created_at"), text_in(object_in(data, "click"), "link")]
    return digest(*said)


def first_receiver(data: Object) -> str:
    """A message of ours has one. Of several, Resend doesn't say which one it means."""
    listed = [one for one in list_in(data, "to") if isinstance(one, str)]
    return next((address for _, address in getaddresses(listed) if address), "")


def words_of(data: Object) -> list[str]:
    said = [object_in(data, name) for name in ("bounce", "failed", "suppressed")]
    return [text_in(one, "message", "reason") for one in said]


def metadata_of(data: Object) -> dict[str, str]:
    """Ours stand in a header, and as far as they can in Resend's tags."""
    tags = texts_of(object_in(data, "tags"))
    ours = {name: value for name, value in tags.items() if name.startswith("vdq_")}
    return ours | texts_of(as_object(header_in(data, METADATA)))


def tags_of(data: Object) -> tuple[str, ...]:
    tags = header_in(data, TAGS)
    listed = cast("list[object]", tags) if isinstance(tags, list) else []
    return tuple(tag for tag in listed if isinstance(tag, str))


def header_in(data: Object, name: str) -> object:
    """What the JSON in a header says; ``None`` without it."""
    for header in map(as_object, list_in(data, "headers")):
        if text_in(header, "name").lower() == name.lower():
            return read_json(text_in(header, "value").encode("utf-8", "replace"))
    return None
