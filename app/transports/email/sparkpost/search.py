"""Asking SparkPost for the events of a message that we may have handed over.

Source: https://developers.sparkpost.com/api/events/. Each event shows the message's metadata. They
show after a while, and nobody says after how long, so that none never means that it wasn't taken.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, timedelta

from app.transports.contract import AttemptRef, CannotTell, Found, LookUp, ProviderEvent
from app.transports.email.sparkpost.reports import event_of
from app.transports.email.tracking import ATTEMPT, read_key
from app.transports.http import Answer
from app.transports.http.objects import Object, objects_in, read_object, text_in

PAGE = 1000


def question(attempt: AttemptRef) -> Mapping[str, str | int]:
    """By the transmission if it is known, else by the receiver; from the day before."""
    since = (attempt.started_at.astimezone(UTC) - timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
    by = (
        {"transmissions": attempt.message_id}
        if attempt.message_id
        else {"recipients": attempt.recipient}
    )
    return {**by, "from": since, "per_page": PAGE}


def read_events(answer: Answer, attempt: AttemptRef) -> LookUp:
    listed = read_object(answer.body) if answer.status == 200 else None
    rows = objects_in(listed, "results") if listed is not None else None
    if rows is None:
        return CannotTell(f"SparkPost's list of events answered HTTP {answer.status}, unreadably.")
    events = [event for row in rows if (event := read_row(row, attempt)) is not None]
    if not events:
        return CannotTell("SparkPost lists no event of the message, which may come late there.")
    return Found(tuple(events), events[0].message_id)


def read_row(row: Object, attempt: AttemptRef) -> ProviderEvent | None:
    """The event, if it is about our message; the filter is SparkPost's."""
    event = event_of(row)
    if attempt.message_id:
        is_ours = event.message_id == attempt.message_id
    else:
        is_ours = read_key(event.metadata, ATTEMPT) == attempt.provider_key
    if not (is_ours and event.message_id and text_in(row, "type")):
        return None
    return replace(event, item_key=attempt.item_id, attempt_key=attempt.attempt_id)
