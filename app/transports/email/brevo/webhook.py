"""Brevo's webhooks: one report in a request, or many of them, behind a user name and a password.

Brevo signs nothing. Source: https://developers.brevo.com/docs/transactional-webhooks. A list is
what its option to send reports in batches makes, by all that is known: no page shows one.
"""

from datetime import datetime

from app.transports.contract import (
    EventType,
    ProviderEvent,
    RawRequest,
    WebhookUnreadable,
)
from app.transports.email.api_events import (
    UNKNOWN,
    digest,
    from_seconds,
    number_in,
    say,
    status_text,
    texts_in,
)
from app.transports.email.batches import read_batch
from app.transports.email.brevo.config import BrevoConfig
from app.transports.email.brevo.events import EVENTS, event_key
from app.transports.email.brevo.message import METADATA
from app.transports.http.basic_auth import BasicAuth
from app.transports.http.objects import (
    NOTHING,
    Object,
    as_object,
    list_in,
    read_array,
    read_object,
    text_in,
    texts_of,
)


class BrevoWebhook:
    """Believes whoever knows the password; what they say of a message's end needs its keys too."""

    def __init__(self, config: BrevoConfig) -> None:
        self._auth = BasicAuth(config.webhook_logins)

    def authenticate(self, request: RawRequest) -> None:
        self._auth.check(request)

    def parse(self, request: RawRequest) -> list[ProviderEvent]:
        report = read_object(request.body)
        if report is not None and text_in(report, "event"):
            return [event_of(report)]
        if report is not None and "items" in report:
            return inbound_events(report)
        reports = read_array(request.body)
        if reports is None:
            raise WebhookUnreadable("The body is neither a report nor a list of reports.")
        return read_batch("Brevo", reports, events_in)


def events_in(report: Object) -> list[ProviderEvent] | None:
    return [event_of(report)] if text_in(report, "event") else None


def event_of(report: Object) -> ProviderEvent:
    status = status_text(text_in(report, "event"))
    kind, reason = EVENTS.get(status, UNKNOWN)
    message_id, recipient = text_in(report, "message-id") or None, text_in(report, "email")
    moment, link = time_of(report), text_in(report, "link")
    return ProviderEvent(
        event_key=event_key(status, message_id, recipient, moment, link),
        type=kind,
        status=status,
        message_id=message_id,
        recipient=recipient,
        text=say("Brevo", [text_in(report, "reason")], status),
        reason=reason,
        occurred_at=moment,
        metadata=metadata_of(report),
        tags=tags_of(report),
        raw=report,
    )


def time_of(report: Object) -> datetime | None:
    """Milliseconds. Brevo's other times are in the zone of the account."""
    milliseconds = number_in(report, "ts_epoch")
    try:
        return from_seconds(str(float(milliseconds) / 1000))
    except ValueError, OverflowError:
        return None


def metadata_of(report: Object) -> dict[str, str]:
    written = text_in(report, METADATA)
    return texts_of(read_object(written.encode("utf-8", "replace")) or NOTHING)


def tags_of(report: Object) -> tuple[str, ...]:
    """Older reports have one tag in a field of its own."""
    tag = text_in(report, "tag")
    return texts_in(report, "tags") or ((tag,) if tag else ())


def inbound_events(report: Object) -> list[ProviderEvent]:
    """Messages to us: their arrival is kept, their content is not."""
    items = [as_object(one) for one in list_in(report, "items")]
    return [inbound_event(item) for item in items]


def inbound_event(item: Object) -> ProviderEvent:
    message_id = text_in(item, "MessageId") or None
    return ProviderEvent(
        event_key=digest("inbound", message_id, text_in(item, "SentAtDate")),
        type=EventType.INBOUND,
        status="inbound",
        message_id=message_id,
        text="Brevo: inbound message",
        raw={"MessageId": message_id},
    )
