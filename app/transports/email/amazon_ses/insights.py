"""What Amazon SES tells of one message, where the account has message insights.

Source: https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetMessageInsights.html
"""

from collections.abc import Iterator, Mapping
from urllib.parse import quote

from app.transports.contract import AttemptRef, CannotTell, Found, LookUp, ProviderEvent
from app.transports.contract import EventType as E
from app.transports.email.api_events import Meaning, digest, from_seconds, number_in, say
from app.transports.http import Answer
from app.transports.http.objects import (
    Object,
    as_object,
    list_in,
    object_in,
    read_object,
    text_in,
)

EVENTS: Mapping[str, Meaning] = {
    "SEND": (E.SENT, ""),
    "DELIVERY": (E.DELIVERED, ""),
    "TRANSIENT_BOUNCE": (E.BOUNCED, "bounced"),
    "PERMANENT_BOUNCE": (E.BOUNCED, "bounced"),
    "UNDETERMINED_BOUNCE": (E.BOUNCED, "bounced"),
    "COMPLAINT": (E.COMPLAINED, "spam"),
    "REJECT": (E.REJECTED, "blocked"),
    "RENDERING_FAILURE": (E.FAILED, ""),
    "OPEN": (E.OPENED, ""),
    "CLICK": (E.CLICKED, ""),
}


def path_of(message_id: str) -> str:
    return f"/v2/email/insights/{quote(message_id, safe='')}/"


def read_insights(answer: Answer, attempt: AttemptRef, message_id: str) -> LookUp:
    told = read_object(answer.body) if answer.status == 200 else None
    if told is None or text_in(told, "MessageId") != message_id:
        return CannotTell(f"Amazon SES does not show the message (HTTP {answer.status}).")
    events = tuple(
        event_of(one, status, attempt, message_id)
        for one in events_in(told)
        if (status := text_in(one, "Type")) in EVENTS
    )
    if not events:
        return CannotTell("Amazon SES tells nothing of the message.")
    return Found(events, message_id)


def events_in(told: Object) -> Iterator[Object]:
    for insight in map(as_object, list_in(told, "Insights")):
        yield from map(as_object, list_in(insight, "Events"))


def event_of(said: Object, status: str, attempt: AttemptRef, message_id: str) -> ProviderEvent:
    kind, reason = EVENTS[status]
    at = number_in(said, "Timestamp")
    bounce = object_in(object_in(said, "Details"), "Bounce")
    return ProviderEvent(
        event_key=digest(message_id, status, attempt.recipient.lower(), at),
        type=kind,
        status=status,
        message_id=message_id,
        item_key=attempt.item_id,
        attempt_key=attempt.attempt_id,
        recipient=attempt.recipient,
        text=say("Amazon SES", [text_in(bounce, "DiagnosticCode")], status),
        reason=reason,
        occurred_at=from_seconds(at),
        raw=said,
    )
