"""Asking Mailgun for the events of a message.

Source: https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/events. Events
show after a while and are kept for a day or more, so an empty list tells nothing.
"""

from dataclasses import replace
from datetime import timedelta

from app.transports.contract import AttemptRef, CannotTell, Found, LookUp, ProviderEvent
from app.transports.email.mailgun.events import event_of
from app.transports.email.tracking import ATTEMPT, read_key
from app.transports.http import Answer
from app.transports.http.objects import as_object, list_in, read_object, text_in

PAGE = 300
"""The most that one search returns."""


def query_for(attempt: AttemptRef) -> dict[str, str | int]:
    """By the message's id if it is known, else by its receiver."""
    if attempt.message_id:
        return {"message-id": attempt.message_id.strip("<>"), "limit": PAGE}
    begin = int((attempt.started_at - timedelta(minutes=5)).timestamp())
    return {"recipient": attempt.recipient, "begin": begin, "ascending": "yes", "limit": PAGE}


def read_events(answer: Answer, attempt: AttemptRef) -> LookUp:
    listed = read_object(answer.body) if answer.status == 200 else None
    rows = [as_object(one) for one in list_in(listed or {}, "items")]
    told = [event_of(row) for row in rows if text_in(row, "event")]
    ours = [event for event in told if is_ours(event, attempt)]
    if not ours:
        return CannotTell(f"Mailgun lists nothing of the message (HTTP {answer.status}).")
    known = [replace(e, item_key=attempt.item_id, attempt_key=attempt.attempt_id) for e in ours]
    return Found(tuple(known), ours[0].message_id)


def is_ours(event: ProviderEvent, attempt: AttemptRef) -> bool:
    """By the key that the message carries, or by its id: a filter may be Mailgun's to ignore."""
    if attempt.message_id:
        return event.message_id == attempt.message_id
    return read_key(event.metadata, ATTEMPT) == attempt.provider_key
