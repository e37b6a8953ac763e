"""Asking Mandrill for a message that we may have handed over.

Source: https://mailchimp.com/developer/transactional/api/messages/search-messages/ and
``message-info``. A message shows in the search only after a while, and nobody says after how long;
so that it isn't there never means that it wasn't taken.
"""

from collections.abc import Mapping
from datetime import UTC, timedelta

from app.transports.contract import AttemptRef, CannotTell, Found, LookUp, ProviderEvent
from app.transports.email.api_events import from_seconds, number_in, say
from app.transports.email.mandrill.events import EVENTS, STATES, event_key
from app.transports.email.tracking import ATTEMPT, read_key
from app.transports.http import Answer
from app.transports.http.objects import (
    Object,
    as_object,
    object_in,
    read_array,
    read_object,
    text_in,
    texts_of,
)

PAGE = 100


def question(attempt: AttemptRef) -> Mapping[str, object]:
    """Messages to the receiver since the day before. Whatever the search makes of this, only a
    message with the attempt's key is taken for ours."""
    day = (attempt.started_at.astimezone(UTC) - timedelta(days=1)).date().isoformat()
    return {"query": f"full_email:{attempt.recipient}", "date_from": day, "limit": PAGE}


def read_search(answer: Answer, attempt: AttemptRef) -> LookUp:
    rows = read_array(answer.body) if answer.status == 200 else None
    if rows is None:
        return CannotTell(f"Mandrill's search answered HTTP {answer.status}, unreadably.")
    ours = [row for row in map(as_object, rows) if is_ours(row, attempt)]
    if not ours:
        return CannotTell("Mandrill's search does not show the message, which may come late there.")
    return found(ours[0], attempt)


def read_info(answer: Answer, attempt: AttemptRef) -> LookUp:
    row = read_object(answer.body) if answer.status == 200 else None
    if row is None or text_in(row, "_id") != attempt.message_id:
        return CannotTell(f"Mandrill does not show the message (HTTP {answer.status}).")
    return found(row, attempt)


def is_ours(row: Object, attempt: AttemptRef) -> bool:
    key = read_key(texts_of(object_in(row, "metadata")), ATTEMPT)
    return key == attempt.provider_key and bool(text_in(row, "_id"))


def found(row: Object, attempt: AttemptRef) -> Found:
    message_id = text_in(row, "_id")
    status = STATES.get(text_in(row, "state"), "send")
    return Found((event_of(row, attempt, message_id, status),), message_id)


def event_of(row: Object, attempt: AttemptRef, message_id: str, status: str) -> ProviderEvent:
    recipient = text_in(row, "email") or attempt.recipient
    moment = from_seconds(number_in(row, "ts"))
    kind, reason = EVENTS[status]
    return ProviderEvent(
        event_key=event_key(status, message_id, recipient, moment, ""),
        type=kind,
        status=status,
        message_id=message_id,
        item_key=attempt.item_id,
        attempt_key=attempt.attempt_id,
        recipient=recipient,
        text=say("Mandrill", [text_in(row, "diag")], status),
        reason=reason,
        occurred_at=moment,
        raw={"_id": message_id, "state": text_in(row, "state"), "ts": row.get("ts")},
    )
