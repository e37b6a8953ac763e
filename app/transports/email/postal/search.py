"""Reading what became of a message whose number in Postal is known.

Source: ``app/controllers/legacy_api/messages_controller.rb`` of
https://github.com/postalserver/postal. There is no search.
"""

from app.transports.contract import AttemptRef, CannotTell, Found, LookUp, ProviderEvent
from app.transports.email.api_events import digest, from_seconds, number_in, say, status_text
from app.transports.email.postal.events import STATUSES, meaning_of
from app.transports.http import Answer
from app.transports.http.objects import Object, objects_in, read_object, text_in


def is_number(message_id: str | None) -> bool:
    return bool(message_id) and str(message_id).isascii() and str(message_id).isdigit()


def read_deliveries(answer: Answer, attempt: AttemptRef, message_id: str) -> LookUp:
    """Each try to deliver the message. Before the first one there is nothing to tell."""
    body = read_object(answer.body) if answer.status == 200 else None
    rows = objects_in(body, "data") if body and text_in(body, "status") == "success" else None
    known = [row for row in rows or [] if text_in(row, "status") in STATUSES]
    if not known:
        return CannotTell(f"Postal shows no delivery of the message (HTTP {answer.status}).")
    return Found(tuple(event_of(row, attempt, message_id) for row in known), message_id)


def event_of(row: Object, attempt: AttemptRef, message_id: str) -> ProviderEvent:
    status, output = text_in(row, "status"), text_in(row, "output")
    kind, reason = meaning_of("", status, output)
    return ProviderEvent(
        event_key=digest("delivery", message_id, text_in(row, "id"), status),
        type=kind,
        status=status_text(status),
        message_id=message_id,
        item_key=attempt.item_id,
        attempt_key=attempt.attempt_id,
        recipient=attempt.recipient,
        code=status_text(status),
        text=say("Postal", [text_in(row, "details"), output], status),
        reason=reason,
        occurred_at=from_seconds(number_in(row, "timestamp")),
        raw=row,
    )
