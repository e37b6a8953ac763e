"""Postmark's webhooks: one report in each request, behind a user name and a password.

Postmark signs nothing. Its pages say so, although an example there checks a signature header.
Source: https://postmarkapp.com/developer/webhooks/webhooks-overview
"""

from app.transports.contract import (
    EventType,
    ProviderEvent,
    RawRequest,
    WebhookUnreadable,
)
from app.transports.email.postmark.config import PostmarkConfig
from app.transports.email.postmark.events import (
    event_key,
    meaning_of,
    message_id_of,
    metadata_of,
    status_of,
    time_of,
)
from app.transports.email.tidy import tidy
from app.transports.http.basic_auth import BasicAuth
from app.transports.http.objects import Object, read_object, text_in

LONGEST_FIELD = 200


class PostmarkWebhook:
    """Believes whoever knows the password; what they say of a message's end needs its keys too."""

    def __init__(self, config: PostmarkConfig) -> None:
        self._auth = BasicAuth(config.webhook_logins)

    def authenticate(self, request: RawRequest) -> None:
        self._auth.check(request)

    def parse(self, request: RawRequest) -> list[ProviderEvent]:
        report = read_object(request.body)
        if report is None:
            raise WebhookUnreadable("The body is not a JSON object.")
        if text_in(report, "RecordType"):
            return [event_of(report)]
        if "From" in report and "MessageID" in report:
            return [inbound_event(report)]
        raise WebhookUnreadable("The report names no RecordType.")


def event_of(report: Object) -> ProviderEvent:
    status = tidy(status_of(report), ())[:LONGEST_FIELD]
    kind, reason = meaning_of(status)
    message_id, recipient = message_id_of(report), text_in(report, "Recipient", "Email")
    tag = text_in(report, "Tag")
    return ProviderEvent(
        event_key=event_key(report, status, message_id, recipient),
        type=kind,
        status=status,
        message_id=message_id,
        recipient=recipient,
        code=status.partition("/")[2],
        text=text_of(report, status),
        reason=reason,
        occurred_at=time_of(report),
        metadata=metadata_of(report),
        tags=(tag,) if tag else (),
        raw=report,
    )


def text_of(report: Object, status: str) -> str:
    """What a person reads: Postmark's words, then what the receiver's server said."""
    words = (text_in(report, "Description"), text_in(report, "Details"))
    said = ". ".join(word.strip().removesuffix(".") for word in words if word.strip())
    return tidy(f"Postmark: {said or status}", ())


def inbound_event(report: Object) -> ProviderEvent:
    """A message to us: its arrival is kept, its content is not."""
    message_id = message_id_of(report)
    recipient = text_in(report, "OriginalRecipient", "To")
    return ProviderEvent(
        event_key=event_key(report, "Inbound", message_id, recipient),
        type=EventType.INBOUND,
        status="Inbound",
        message_id=message_id,
        recipient=recipient,
        text="Postmark: inbound message",
        raw={"MessageID": message_id, "OriginalRecipient": recipient},
    )
