"""What happened to an item, from three tables, in one order: the latest first."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from msgspec import UNSET, Raw

from app.controllers.console.times import span

OUTCOMES = {
    "accepted": ("awaiting", "accepted it"),
    "rejected": ("errored", "refused it"),
    "try_later": ("delayed", "asked to get it later"),
    "not_sent": ("delayed", "was not reached; nothing was sent"),
    "unknown": ("unconfirmed", "gave no readable answer: it may have been sent"),
    None: ("sending", "has not answered yet"),
}
REPORTS = {
    "delivered": "succeeded",
    "bounced": "errored",
    "rejected": "errored",
    "failed": "errored",
    "complained": "errored",
    "deferred": "delayed",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """``said`` is what somebody else wrote. ``facts`` are words and their values."""

    at: datetime
    mark: str
    title: str
    who: str = ""
    said: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    raw: str = ""
    key: str = ""


def timeline_of(item: Any) -> list[Entry]:
    entries = [Entry(item.queued, "queued", "Queued", item.created_by or "")]
    entries += [*_changes(item), *_attempts(item), *_events(item)]
    # Sorting keeps the order of what happened in one moment: turned round first, as all the rest.
    entries.reverse()
    return sorted(entries, key=lambda entry: entry.at, reverse=True)


def _given(item: Any, name: str) -> list[Any]:
    found = getattr(item, name)
    return [] if found is UNSET or found is None else found


def _changes(item: Any) -> Iterator[Entry]:
    for change in _given(item, "history"):
        moved = change.from_state and change.from_state != change.to_state
        way = f"{change.from_state} → {change.to_state}" if moved else change.transition
        title = f"{change.transition.capitalize()}: {way}" if moved else way.capitalize()
        yield Entry(change.at, change.to_state or "", title, change.actor, change.text or "")


def _attempts(item: Any) -> Iterator[Entry]:
    for attempt in _given(item, "attempts"):
        mark, said = OUTCOMES[attempt.outcome]
        facts = [("Id of the provider", attempt.message_id or "")]
        if attempt.ended_at is not None:
            taken = (attempt.ended_at - attempt.started_at).total_seconds()
            facts.append(("Took", f"{taken * 1000:.0f} ms" if taken < 1 else span(taken)))
        facts.append(("Code", attempt.code or ""))
        doubts = {
            "may have been sent": attempt.may_have_been_sent,
            "known from a report alone": attempt.recovered,
        }
        facts += [("Note", text) for text, holds in doubts.items() if holds]
        yield Entry(
            attempt.started_at,
            mark,
            f"Attempt {attempt.number}: {attempt.provider} {said}",
            said=attempt.text or "",
            facts=tuple(fact for fact in facts if fact[1]),
        )


def _events(item: Any) -> Iterator[Entry]:
    for event in _given(item, "events"):
        told = (
            ("Status", event.status),
            ("Code", event.code),
            ("Effect", event.verdict or "not applied yet"),
        )
        yield Entry(
            event.occurred_at or event.received_at,
            REPORTS.get(event.type, "awaiting"),
            f"{event.provider} reported: {event.type.replace('_', ' ')}",
            said=event.text or event.reason or "",
            facts=tuple(fact for fact in told if fact[1]),
            raw=pretty(event.raw),
            key=str(event.id),
        )


def pretty(raw: Any) -> str:
    """JSON with an entry a line; empty for what is hidden or was pruned."""
    value = json.loads(bytes(raw)) if isinstance(raw, Raw) else raw
    return json.dumps(value, indent=2, ensure_ascii=False) if value else ""
