"""What Mailjet reports about a message, by webhook and when it is asked. Tables of data.

Source: https://dev.mailjet.com/email/guides/webhooks/
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
from app.transports.http.objects import NOTHING, Object, read_object, text_in, texts_of

EVENTS: Mapping[str, Meaning] = {
    "sent": (E.DELIVERED, ""),
    "open": (E.OPENED, ""),
    "click": (E.CLICKED, ""),
    "bounce": (E.BOUNCED, "other"),
    "blocked": (E.REJECTED, "other"),
    "spam": (E.COMPLAINED, ""),
    "unsub": (E.UNSUBSCRIBED, ""),
}
"""Sent means that the receiver's server took it."""

REASONS: Mapping[str, str] = {
    **dict.fromkeys(
        (
            *("user unknown", "mailbox inactive", "quota exceeded", "invalid domain"),
            *("no mail host", "relay/access denied"),
        ),
        "bounced",
    ),
    **dict.fromkeys(
        (
            *("blacklisted", "sender blocked", "content blocked", "policy issue"),
            "preblocked",
        ),
        "blocked",
    ),
    "spam reporter": "spam",
    "typofix": "invalid",
}
"""By Mailjet's ``error``; there are others, whose reason is none of these."""

LISTED: Mapping[str, Meaning] = {
    "processed": (E.QUEUED, ""),
    "queued": (E.QUEUED, ""),
    "deferred": (E.DEFERRED, ""),
    "sent": (E.DELIVERED, ""),
    "opened": (E.OPENED, ""),
    "clicked": (E.CLICKED, ""),
    "bounce": (E.BOUNCED, "bounced"),
    "hardbounced": (E.BOUNCED, "bounced"),
    "softbounced": (E.BOUNCED, "bounced"),
    "blocked": (E.REJECTED, "blocked"),
    "spam": (E.COMPLAINED, ""),
    "unsub": (E.UNSUBSCRIBED, ""),
}
"""What a message's status is when Mailjet is asked
(https://dev.mailjet.com/email/reference/messages/)."""

REPEATABLE = frozenset({"open", "click", "bounce"})
"""A greylisted bounce may come more than once."""


def event_of(report: Object) -> ProviderEvent:
    status = status_text(text_in(report, "event"))
    kind, reason = meaning_of(status, report)
    message_id, recipient = text_in(report, "MessageID") or None, text_in(report, "email")
    tag = text_in(report, "customcampaign")
    return ProviderEvent(
        event_key=event_key(status, message_id, recipient, report),
        type=kind,
        status=status,
        message_id=message_id,
        recipient=recipient,
        code=status_text(text_in(report, "error")),
        text=say("Mailjet", words_of(report), status),
        reason=reason,
        occurred_at=from_seconds(number_in(report, "time")),
        metadata=metadata_of(report),
        tags=(tag,) if tag else (),
        raw=report,
    )


def meaning_of(status: str, report: Object) -> Meaning:
    kind, reason = EVENTS.get(status, UNKNOWN)
    error = text_in(report, "error").lower()
    if status == "bounce" and error == "greylisted" and report.get("hard_bounce") is not True:
        return (E.DEFERRED, "other")
    return kind, REASONS.get(error, reason) if kind in {E.BOUNCED, E.REJECTED} else reason


def event_key(status: str, message_id: str | None, recipient: str, report: Object) -> str:
    """Mailjet's reports have no id."""
    said = [message_id, status, recipient.lower(), text_in(report, "error")]
    if status in REPEATABLE:
        said += [number_in(report, "time"), text_in(report, "url")]
    return digest(*said)


def words_of(report: Object) -> list[str]:
    return [text_in(report, name) for name in ("error", "comment", "smtp_reply")]


def metadata_of(report: Object) -> dict[str, str]:
    written = text_in(report, "Payload")
    return texts_of(read_object(written.encode("utf-8", "replace")) or NOTHING)
