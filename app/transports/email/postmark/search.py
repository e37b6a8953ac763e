"""Asking Postmark for a message that we may have handed over.

Source: https://postmarkapp.com/developer/api/messages-api. What rests on that page: the search by
receiver and date, ``TotalCount``, the details of one message. What does not, but on examples that
others published, and was not checked against an account: that each row of a search shows the
message's ``Metadata``, and that dates are days of US Eastern Time. The search by metadata
(``metadata_vdq_attempt=…``) is said to exist; it isn't used, because an empty answer to a filter
that Postmark ignores or misreads would look like "never sent".
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from urllib.parse import quote
from uuid import UUID

from app.transports.contract import AttemptRef, CannotTell, EventType, Found, LookUp, NotFound
from app.transports.contract import ProviderEvent as Event
from app.transports.email.hand_over import Line
from app.transports.email.postmark.events import (
    MESSAGE_EVENTS,
    event_key,
    meaning_of,
    message_id_of,
    metadata_of,
    time_of,
)
from app.transports.email.tidy import tidy
from app.transports.email.tracking import ATTEMPT, read_key
from app.transports.http import Answer, NoAnswer, call
from app.transports.http.objects import Object, object_in, objects_in, read_object, text_in

PAGE = 500
"""The most that one search returns."""

SETTLED = timedelta(minutes=5)
"""How old an attempt must be before its absence means anything: an accepted message shows in the
search only after a while, and nobody says after how long."""

type Now = Callable[[], datetime]


def now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class PostmarkSearch:
    """Looks for messages by their receiver, and tells them apart by the key in their metadata."""

    line: Line
    api: str
    headers: dict[str, str] = field(repr=False)
    now: Now = now

    async def find(self, attempt: AttemptRef) -> LookUp:
        """What became of a message whose id is known; else whether Postmark has it, which is told
        by the key that it carries. ``NotFound`` only when a complete list of messages to the
        receiver, each with the key of another attempt, was read long enough after the attempt."""
        try:
            if attempt.message_id:
                return await self._look_at(attempt, attempt.message_id)
            return await self._search(attempt)
        except NoAnswer as failure:
            return CannotTell(failure.outcome.text)

    async def _search(self, attempt: AttemptRef) -> LookUp:
        day = (attempt.started_at.astimezone(UTC) - timedelta(days=1)).date().isoformat()
        filters = {"count": PAGE, "offset": 0, "recipient": attempt.recipient, "fromdate": day}
        answer = await self._get("/messages/outbound", filters)
        listed = read_object(answer.body) if answer.status == 200 else None
        rows = objects_in(listed, "Messages") if listed is not None else None
        if listed is None or rows is None:
            return CannotTell(f"Postmark's search answered HTTP {answer.status}, unreadably.")
        ours = [row for row in rows if key_in(row) == attempt.provider_key]
        message_id = message_id_of(ours[0]) if ours else None
        if message_id is not None:
            return Found((sent_event(attempt, message_id),), message_id)
        return self._judge_absence(attempt, rows, text_in(listed, "TotalCount"))

    def _judge_absence(self, attempt: AttemptRef, rows: list[Object], total: str) -> LookUp:
        if total != str(len(rows)):
            return CannotTell("Postmark has more messages to this receiver than it lists.")
        if any(key_in(row) is None for row in rows):
            return CannotTell("Postmark has messages to this receiver that carry no key.")
        if self.now() - attempt.started_at < SETTLED:
            return CannotTell("Postmark does not show the message yet.")
        return NotFound()

    async def _look_at(self, attempt: AttemptRef, message_id: str) -> LookUp:
        answer = await self._get(f"/messages/outbound/{quote(message_id, safe='')}/details", {})
        details = read_object(answer.body) if answer.status == 200 else None
        if details is None or message_id_of(details) != message_id:
            return CannotTell(f"Postmark does not show the message (HTTP {answer.status}).")
        told = [
            reported_event(attempt, message_id, said)
            for said in objects_in(details, "MessageEvents") or []
            if text_in(said, "Type") in MESSAGE_EVENTS
        ]
        return Found((sent_event(attempt, message_id), *told), message_id)

    async def _get(self, path: str, query: dict[str, str | int]) -> Answer:
        client, provider = self.line.client, self.line.provider
        request = client.build_request("GET", self.api + path, params=query, headers=self.headers)
        return await call(client, request, provider=provider, total=self.line.total)


def key_in(row: Object) -> UUID | None:
    return read_key(metadata_of(row), ATTEMPT)


def sent_event(attempt: AttemptRef, message_id: str) -> Event:
    """That Postmark has the message is itself news."""
    return _event(attempt, message_id, {}, "Sent", EventType.SENT, attempt.recipient)


def reported_event(attempt: AttemptRef, message_id: str, said: Object) -> Event:
    status = MESSAGE_EVENTS[text_in(said, "Type")]
    recipient = text_in(said, "Recipient") or attempt.recipient
    return _event(attempt, message_id, said, status, meaning_of(status)[0], recipient)


def _event(
    attempt: AttemptRef,
    message_id: str,
    said: Object,
    status: str,
    kind: EventType,
    recipient: str,
) -> Event:
    details = object_in(said, "Details")
    words = text_in(details, "DeliveryMessage", "Summary")
    return Event(
        event_key=event_key({**details, **said}, status, message_id, recipient),
        type=kind,
        status=status,
        message_id=message_id,
        item_key=attempt.item_id,
        attempt_key=attempt.attempt_id,
        recipient=recipient,
        code=status.partition("/")[2],
        text=tidy(f"Postmark: {words or status}", ()),
        reason=meaning_of(status)[1],
        occurred_at=time_of(said),
        raw=said,
    )
