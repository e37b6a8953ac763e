"""From one event as Unisender Go writes it to one of ours."""

from app.transports.contract import ProviderEvent
from app.transports.email.api_events import from_iso, say, status_text
from app.transports.email.unisender_go.events import event_key, meaning_of
from app.transports.email.unisender_go.message import OWN_ID
from app.transports.http.objects import Object, object_in, text_in, texts_of


def event_of(event: Object) -> ProviderEvent:
    """The id is the job's, which has one receiver here, unless the metadata hold another one."""
    info, status = object_in(event, "delivery_info"), status_text(text_in(event, "status"))
    delivery_status = text_in(info, "delivery_status")
    kind, reason = meaning_of(status, delivery_status)
    metadata = texts_of(object_in(event, "metadata"))
    message_id = metadata.pop(OWN_ID, "") or text_in(event, "job_id") or None
    recipient, at = text_in(event, "email"), text_in(event, "event_time")
    words = [text_in(info, "destination_response") or text_in(event, "comment")]
    return ProviderEvent(
        event_key=event_key(
            (status, delivery_status), message_id, recipient, at, text_in(event, "url")
        ),
        type=kind,
        status=status,
        message_id=message_id,
        recipient=recipient,
        code=status_text(delivery_status),
        text=say("Unisender Go", words, delivery_status or status),
        reason=reason,
        occurred_at=from_iso(at),
        metadata=metadata,
        raw=event,
    )
