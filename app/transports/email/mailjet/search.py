"""Asking Mailjet for a message, by its id or by the key that it carries as ``CustomID``.

Source: https://dev.mailjet.com/email/reference/messages/. That rows show the ``CustomID`` was not
checked at an account: one that doesn't is no answer.
"""

from app.transports.contract import AttemptRef, CannotTell, Found, LookUp, ProviderEvent
from app.transports.email.api_events import UNKNOWN, digest, say, status_text
from app.transports.email.mailjet.events import LISTED
from app.transports.http import Answer
from app.transports.http.objects import Object, as_object, list_in, read_object, text_in

PATH = "/v3/REST/message"


def query_for(attempt: AttemptRef) -> dict[str, str]:
    return {"CustomID": str(attempt.provider_key), "ShowCustomID": "true"}


def read_messages(answer: Answer, attempt: AttemptRef) -> LookUp:
    listed = read_object(answer.body) if answer.status == 200 else None
    rows = [as_object(one) for one in list_in(listed or {}, "Data")]
    ours = next((row for row in rows if is_ours(row, attempt)), None)
    if ours is None:
        return CannotTell(f"Mailjet does not show the message (HTTP {answer.status}).")
    message_id = text_in(ours, "ID")
    return Found((event_of(ours, attempt, message_id),), message_id)


def is_ours(row: Object, attempt: AttemptRef) -> bool:
    """A filter may be one that Mailjet ignores."""
    if attempt.message_id:
        return text_in(row, "ID") == attempt.message_id
    return bool(text_in(row, "ID")) and text_in(row, "CustomID") == str(attempt.provider_key)


def event_of(row: Object, attempt: AttemptRef, message_id: str) -> ProviderEvent:
    status = status_text(text_in(row, "Status")) or "listed"
    kind, reason = LISTED.get(status.lower(), UNKNOWN)
    return ProviderEvent(
        event_key=digest(message_id, status.lower(), attempt.recipient.lower(), ""),
        type=kind,
        status=status,
        message_id=message_id,
        item_key=attempt.item_id,
        attempt_key=attempt.attempt_id,
        recipient=attempt.recipient,
        text=say("Mailjet", [], status),
        reason=reason,
        raw=row,
    )
