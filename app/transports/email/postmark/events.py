"""What Postmark reports about a message, by webhook and when it is asked. Tables of data.

Source: https://postmarkapp.com/developer/webhooks/bounce-webhook and its neighbours; types of
bounces: https://postmarkapp.com/developer/api/bounce-api#bounce-types
"""

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime

from app.transports.contract import EventType
from app.transports.http.objects import Object, object_in, text_in

type Meaning = tuple[EventType, str]
"""A normalised type and the normalised reason of a refusal, empty where there is none."""

E = EventType
UNKNOWN: Meaning = (E.UNKNOWN, "")

RECORDS: Mapping[str, Meaning] = {
    "Delivery": (E.DELIVERED, ""),
    "Open": (E.OPENED, ""),
    "Click": (E.CLICKED, ""),
    "SpamComplaint": (E.COMPLAINED, "spam"),
}

BOUNCES: Mapping[str, Meaning] = {
    "HardBounce": (E.BOUNCED, "bounced"),
    "SoftBounce": (E.BOUNCED, "bounced"),
    "VirusNotification": (E.BOUNCED, "other"),
    "Transient": (E.DEFERRED, ""),
    "DnsError": (E.DEFERRED, ""),
    "OpenRelayTest": (E.DEFERRED, ""),
    "BadEmailAddress": (E.REJECTED, "invalid"),
    "ManuallyDeactivated": (E.REJECTED, "blocked"),
    "Blocked": (E.REJECTED, "blocked"),
    "DMARCPolicy": (E.REJECTED, "blocked"),
    "Unconfirmed": (E.REJECTED, ""),
    "SMTPApiError": (E.FAILED, ""),
    "TemplateRenderingFailed": (E.FAILED, ""),
    "SpamComplaint": (E.COMPLAINED, "spam"),
    "SpamNotification": (E.COMPLAINED, "spam"),
    "Unsubscribe": (E.UNSUBSCRIBED, "unsubscribed"),
    "Subscribe": (E.SUBSCRIBED, ""),
    "AutoResponder": (E.AUTORESPONDED, ""),
    "AddressChange": (E.AUTORESPONDED, ""),
    "ChallengeVerification": (E.AUTORESPONDED, ""),
    "InboundError": (E.INBOUND_FAILED, ""),
    "Unknown": UNKNOWN,
}

SUPPRESSIONS: Mapping[str, Meaning] = {
    "ManualSuppression": (E.UNSUBSCRIBED, "unsubscribed"),
    "HardBounce": (E.BOUNCED, "bounced"),
    "SpamComplaint": (E.COMPLAINED, "spam"),
}

MESSAGE_EVENTS: Mapping[str, str] = {
    "Delivered": "Delivery",
    "Transient": "Bounce/Transient",
    "Bounced": "Bounce/HardBounce",
    "Opened": "Open",
    "LinkClicked": "Click",
}
"""What the message details call them, and the status that the webhook's report has. The details
know one kind of bounce only. Taken from examples, not checked against an account."""

TIMES = ("DeliveredAt", "BouncedAt", "ReceivedAt", "ChangedAt")
NO_MESSAGE = "00000000-0000-0000-0000-000000000000"
"""The id in reports about suppressions that somebody made by hand."""


def status_of(report: Object) -> str:
    """How the report is called: its record type, with the kind of it where there are several."""
    record = text_in(report, "RecordType")
    match record:
        case "Bounce":
            return f"Bounce/{text_in(report, 'Type') or 'Unknown'}"
        case "SubscriptionChange" if report.get("SuppressSending") is False:
            return "SubscriptionChange/reactivated"
        case "SubscriptionChange":
            return f"SubscriptionChange/{text_in(report, 'SuppressionReason')}"
        case _:
            return record


def meaning_of(status: str) -> Meaning:
    record, _, kind = status.partition("/")
    match record:
        case "Bounce":
            return BOUNCES.get(kind, UNKNOWN)
        case "SubscriptionChange" if kind == "reactivated":
            return (E.SUBSCRIBED, "")
        case "SubscriptionChange":
            return SUPPRESSIONS.get(kind, UNKNOWN)
        case _:
            return RECORDS.get(record, UNKNOWN)


def event_key(report: Object, status: str, message_id: str | None, recipient: str) -> str:
    """A bounce has an id; all else is told apart by what is said. A message is delivered to
    somebody once, whatever time the two ways of hearing of it give for that."""
    said = [message_id, status, recipient.lower(), text_in(report, "ID", "BounceID")]
    if status != "Delivery":
        moment = time_of(report)
        said += [moment.isoformat("T", "seconds") if moment else ""]
        said += [text_in(report, "OriginalLink", "Link")]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()


def time_of(report: Object) -> datetime | None:
    """Postmark writes up to seven digits of a second, and offsets."""
    try:
        moment = datetime.fromisoformat(text_in(report, *TIMES))
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except ValueError, OverflowError:
        return None


def message_id_of(report: Object) -> str | None:
    message_id = text_in(report, "MessageID")
    return None if message_id in {"", NO_MESSAGE} else message_id


def metadata_of(report: Object) -> dict[str, str]:
    metadata = object_in(report, "Metadata")
    return {name: value for name, value in metadata.items() if isinstance(value, str)}
