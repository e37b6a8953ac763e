"""What Amazon SES reports about a message. Tables of data.

Source: https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html and
.../notification-contents.html
"""

from collections.abc import Iterator, Mapping
from datetime import datetime

from app.transports.contract import EventType as E
from app.transports.contract import ProviderEvent
from app.transports.email.amazon_ses.message import METADATA, TAGS
from app.transports.email.amazon_ses.notification import Notification
from app.transports.email.api_events import UNKNOWN, Meaning, digest, say, status_text, texts_in
from app.transports.email.inbound import id_in
from app.transports.http.objects import (
    NOTHING,
    Object,
    as_object,
    list_in,
    object_in,
    read_object,
    text_in,
    texts_of,
)

EVENTS: Mapping[str, Meaning] = {
    "Send": (E.SENT, ""),
    "Delivery": (E.DELIVERED, ""),
    "DeliveryDelay": (E.DEFERRED, ""),
    "Bounce": (E.BOUNCED, "bounced"),
    "Complaint": (E.COMPLAINED, "spam"),
    "Reject": (E.REJECTED, "blocked"),
    "Open": (E.OPENED, ""),
    "Click": (E.CLICKED, ""),
    "Rendering Failure": (E.FAILED, ""),
}

PARTS: Mapping[str, str] = {
    "Rendering Failure": "failure",
    "DeliveryDelay": "deliveryDelay",
}
"""Where what is special about an event stands, unless that is called like the event."""

RECEIVERS: Mapping[str, str] = {
    "Bounce": "bouncedRecipients",
    "Complaint": "complainedRecipients",
    "DeliveryDelay": "delayedRecipients",
}

SUPPRESSED = frozenset({"Suppressed", "OnAccountSuppressionList"})
"""Kinds of bounces and complaints that stand for a message that SES did not send."""

RECEIVED = "Received"


def name_of(content: Object) -> str:
    """Event publishing and notifications of an identity name it in two ways."""
    return text_in(content, "eventType", "notificationType")


def events_of(content: Object, notification: Notification) -> list[ProviderEvent]:
    """One for each receiver. The id of what SNS sent stays in repetitions."""
    status, at = status_text(name_of(content)), notification.time
    if status == RECEIVED:
        return [inbound_event(content, at)]
    part, mail = object_in(content, part_of(status)), object_in(content, "mail")
    kind, reason = meaning_of(status, part)
    return [
        ProviderEvent(
            event_key=digest(notification["MessageId"], status, recipient.lower()),
            type=kind,
            status=status,
            message_id=text_in(mail, "messageId") or None,
            recipient=recipient,
            code=status_text(text_in(details, "status") or text_in(part, "bounceSubType")),
            text=say("Amazon SES", words_of(part, details), status),
            reason=reason,
            occurred_at=at,
            metadata=metadata_of(mail),
            tags=tuple(headers_in(mail, TAGS)),
            raw=alone(content, notification, recipient, details),
        )
        for recipient, details in receivers_of(status, part, mail).items()
    ]


def part_of(status: str) -> str:
    return PARTS.get(status, status.lower())


def alone(content: Object, notification: Notification, recipient: str, details: Object) -> Object:
    """What was said of one receiver, in its envelope, so that it can be read again."""
    status = status_text(name_of(content))
    part, mail = object_in(content, part_of(status)), object_in(content, "mail")
    named = {RECEIVERS[status]: [details]} if details else {}
    if not details and "recipients" in part:
        named = {"recipients": [recipient]}
    narrowed = {"mail": {**mail, "destination": [recipient]}, part_of(status): {**part, **named}}
    envelope = {name: notification[name] for name in ("Type", "MessageId", "Timestamp")}
    return {**envelope, "Message": {**content, **narrowed}}


def meaning_of(status: str, part: Object) -> Meaning:
    if status == "Subscription":
        preferences = object_in(part, "newTopicPreferences")
        is_end = preferences.get("unsubscribeAll") is True
        return (E.UNSUBSCRIBED, "unsubscribed") if is_end else (E.SUBSCRIBED, "")
    kind, reason = EVENTS.get(status, UNKNOWN)
    if kind is E.BOUNCED and text_in(part, "bounceSubType") in SUPPRESSED:
        return (E.REJECTED, "blocked")
    if kind is E.COMPLAINED and text_in(part, "complaintSubType") in SUPPRESSED:
        return (E.REJECTED, "spam")
    return kind, reason


def receivers_of(status: str, part: Object, mail: Object) -> dict[str, Object]:
    """Those whom the event is about, with what is said of each; else all of the message's."""
    named = map(as_object, list_in(part, RECEIVERS.get(status, "")))
    told = {text_in(one, "emailAddress"): one for one in named}
    listed = texts_in(part, "recipients") if status == "Delivery" else ()
    found = {one: about for one, about in told.items() if one}
    return found or dict.fromkeys(listed or texts_in(mail, "destination") or ("",), NOTHING)


def words_of(part: Object, details: Object) -> list[str]:
    names = ("smtpResponse", "reason", "errorMessage", "delayType")
    return [text_in(details, "diagnosticCode"), *(text_in(part, name) for name in names)]


def metadata_of(mail: Object) -> dict[str, str]:
    """Ours stand in a header, and as far as they can in SES's tags."""
    tags = {name: texts_in(object_in(mail, "tags"), name) for name in object_in(mail, "tags")}
    ours = {name: texts[0] for name, texts in tags.items() if name.startswith("vdq_") and texts}
    for text in headers_in(mail, METADATA):
        ours |= texts_of(read_object(text.encode("utf-8", "replace")) or NOTHING)
    return ours


def headers_in(mail: Object, name: str) -> Iterator[str]:
    for header in map(as_object, list_in(mail, "headers")):
        value = text_in(header, "value")
        if value and text_in(header, "name").lower() == name.lower():
            yield value


def inbound_event(content: Object, at: datetime | None) -> ProviderEvent:
    """A message to us: its arrival is kept, its content is not."""
    mail, receipt = object_in(content, "mail"), object_in(content, "receipt")
    recipients = texts_in(receipt, "recipients") or texts_in(mail, "destination")
    theirs, message_id = text_in(mail, "messageId"), id_in(text_in(content, "content"))
    return ProviderEvent(
        event_key=digest(RECEIVED, theirs, message_id),
        type=E.INBOUND,
        status=RECEIVED,
        message_id=message_id,
        recipient=next(iter(recipients), ""),
        text="Amazon SES: inbound message",
        occurred_at=at,
        raw={"messageId": theirs, "message_id": message_id},
    )
