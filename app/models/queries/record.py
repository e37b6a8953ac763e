"""What a call came to, written once and in full: the attempt, the item and its history.

The item is locked by its key first; the attempt's rank and the item's state are then read as they
are after that wait, so an event that came meanwhile is never overwritten. Where an item is named by
its id, each column that a CHECK ties to the state is set from that reading.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

import asyncpg

from app.models import statements, storable
from app.models.queries.moves import DONE_STATES, HISTORY, IS_ALLOWED, MOVES_TABLE, rank_of
from app.models.statements import Row
from app.models.together import Together

RECORD = f"""
WITH asked AS ({{asked}}), own AS (
    SELECT q.id, q.state, q.attempt_id AS current_id, q.error_kind, q.method, q.earlier_delivered,
        q.lease_until, a.attempt_id, a.outcome, a.message_id, a.code, a.text,
        a.may_have_been_sent, a.transition, a.kind_of_error, a.delay, a.actor, a.detail, a.said,
        a.only_after_lease, a.letter_id, a.letter, a.key_window
    FROM asked a JOIN queue_items q ON q.id = a.item_id FOR UPDATE OF q {{lock}}
), told AS (
    UPDATE attempts a SET outcome = own.outcome, code = own.code, text = own.text,
        may_have_been_sent = own.may_have_been_sent,
        message_id = COALESCE(a.message_id, own.message_id), ended_at = statement_timestamp(),
        previous_rank = a.rank, rank = GREATEST(a.rank, {rank_of("own.said", "own.method")})
    FROM own WHERE a.id = own.attempt_id
        AND (a.outcome IS NULL OR a.outcome = 'unknown'
            OR (own.outcome = 'accepted' AND a.outcome <> 'accepted'))
        AND (NOT own.only_after_lease OR (own.state = 'sending' AND own.current_id = a.id
            AND own.lease_until + interval '5 seconds' < statement_timestamp()))
    RETURNING a.id, a.report, a.provider_key, a.message_id, a.started_at,
        a.rank > a.previous_rank AS raised
), verdict AS (
    SELECT own.id, own.state, own.error_kind, own.method, own.attempt_id, own.outcome, own.text,
        own.may_have_been_sent, own.kind_of_error, own.delay, own.actor, own.detail,
        own.only_after_lease, own.letter_id, own.letter, own.key_window,
        told.provider_key, told.message_id, told.started_at,
        CASE
            WHEN own.earlier_delivered AND own.method = 'sms' AND own.outcome <> 'accepted'
                THEN 'succeed'
            WHEN own.outcome = 'rejected' AND told.raised THEN own.transition
            WHEN told.report IN ('engaged', 'delivered') THEN 'succeed'
            WHEN own.earlier_delivered AND own.outcome <> 'accepted' THEN 'succeed'
            WHEN told.report = 'in_flight' THEN 'await'
            ELSE own.transition
        END AS transition
    FROM own JOIN told ON told.id = own.attempt_id AND own.current_id = told.id
    WHERE own.state = 'sending'
        OR (own.state = 'errored' AND own.error_kind = 'outcome_unknown'
            AND own.outcome <> 'unknown')
        OR (own.outcome = 'rejected' AND told.raised)
        OR (own.outcome = 'accepted' AND own.state = 'delayed')
), ruling AS (
    SELECT DISTINCT ON (v.id) v.*, m.target, m.kind FROM verdict v JOIN {MOVES_TABLE}
        ON m.transition = v.transition AND {IS_ALLOWED.format("v")}
), moved AS (
    UPDATE queue_items q SET previous_state = q.state, state = r.target, lease_until = NULL,
        attempt_id = r.attempt_id,
        error_kind = CASE WHEN r.target = 'errored' THEN r.kind_of_error END,
        result = r.text, message_id = COALESCE(r.message_id, q.message_id),
        retries = q.retries
            + CASE WHEN r.transition = 'delay' AND r.outcome = 'try_later' THEN 1 ELSE 0 END,
        not_sent = CASE WHEN r.outcome = 'not_sent' THEN q.not_sent + 1 ELSE 0 END,
        retry_delay = CASE WHEN r.transition = 'delay' THEN r.delay END,
        due_at = CASE WHEN r.transition = 'delay'
            THEN statement_timestamp() + r.delay * interval '1 second' ELSE q.due_at END,
        inherit_key = CASE WHEN r.may_have_been_sent OR r.outcome = 'unknown'
            THEN r.provider_key ELSE q.inherit_key END,
        inherit_until = CASE WHEN r.outcome = 'accepted' THEN NULL
            WHEN NOT (r.may_have_been_sent OR r.outcome = 'unknown')
                OR q.inherit_key = r.provider_key
            THEN q.inherit_until ELSE r.started_at + r.key_window * interval '1 second' END,
        rescues = q.rescues
            + CASE WHEN r.only_after_lease AND r.transition = 'delay' THEN 1 ELSE 0 END,
        accepted_at = CASE WHEN r.transition = 'await'
            THEN statement_timestamp() ELSE q.accepted_at END,
        finished_at = CASE WHEN r.target NOT IN ({DONE_STATES}) THEN NULL
            ELSE COALESCE(q.finished_at, statement_timestamp()) END,
        last_updated = statement_timestamp()
    FROM ruling r WHERE q.id = r.id
    RETURNING q.id, q.attempt_id, r.transition, q.previous_state, q.state, q.last_updated,
        r.actor, r.text, r.detail, r.letter_id, r.letter
), his AS (
    {HISTORY}
    SELECT id, attempt_id, transition, previous_state, state, actor, text, detail, last_updated
    FROM moved
), letter AS (
    INSERT INTO failed_jobs (id, queue, payload, exception, failed_at)
    SELECT letter_id, 'default', letter, text, last_updated FROM moved
    WHERE letter IS NOT NULL AND state = 'errored'
)
SELECT own.id AS id, own.state AS before, own.current_id = own.attempt_id AS current,
    moved.state AS after, moved.transition AS transition,
    EXISTS (SELECT FROM attempts WHERE id = own.attempt_id) AS known
FROM own LEFT JOIN moved ON moved.id = own.id
"""

COLUMNS = {
    "item_id": "uuid",
    "attempt_id": "uuid",
    "outcome": "text",
    "message_id": "text",
    "code": "text",
    "text": "text",
    "may_have_been_sent": "bool",
    "transition": "text",
    "kind_of_error": "text",
    "delay": "float8",
    "actor": "text",
    "detail": "text",
    "said": "text",
    "only_after_lease": "bool",
    "letter_id": "uuid",
    "letter": "text",
    "key_window": "float8",
}
"""What is asked, in the order of the parameters."""

_ONE = ", ".join(f"${n}::{kind} AS {name}" for n, (name, kind) in enumerate(COLUMNS.items(), 1))
_ARRAYS = ", ".join(f"${n}::{kind}[]" for n, kind in enumerate(COLUMNS.values(), 1))

RECORD_ONE = RECORD.format(asked=f"SELECT {_ONE}", lock="")
RECORD_MANY = RECORD.format(
    asked=f"SELECT * FROM unnest({_ARRAYS}) AS a ({', '.join(COLUMNS)})", lock="SKIP LOCKED"
)


@dataclass(frozen=True, slots=True)
class Letter:
    """A dead letter in arvel's form."""

    id: UUID
    payload: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One line for the books: an outcome and what it makes of the item.

    ``transition`` is what follows unless something was reported meanwhile; ``delay`` in seconds
    goes with ``delay``, ``error_kind`` with ``error``. ``said`` is the report that the outcome
    itself amounts to. ``only_after_lease``: write it only if the attempt's lease is over.
    ``window``: for how many seconds the provider takes the same key for the same message.
    """

    item_id: UUID
    attempt_id: UUID
    outcome: str
    transition: str
    text: str
    actor: str
    code: str = ""
    message_id: str | None = None
    may_have_been_sent: bool = False
    error_kind: str | None = None
    delay: float | None = None
    said: str = ""
    detail: str | None = None
    only_after_lease: bool = False
    letter: Letter | None = None
    window: float = 0.0


def with_message_id(entry: Entry, message_id: str | None) -> Entry:
    return replace(entry, message_id=message_id)


def with_letter(entry: Entry, letter: Letter) -> Entry:
    """The same, with a dead letter should the item come to rest as errored."""
    return replace(entry, letter=letter)


KEEP_ID = """
UPDATE queue_items SET message_id = $3
WHERE id = $1 AND attempt_id = $2 AND message_id IS NULL AND state <> 'sending'
"""


async def record(entry: Entry) -> Row | None:
    """Write an outcome; the row says what the item was and is. ``None``: there is no such item.

    A message id that an earlier attempt has already is left out: a provider that deduplicates
    names the earlier message again.
    """
    try:
        row = await _records.ask(entry)
    except asyncpg.UniqueViolationError:
        row = await _record_one(replace(entry, message_id=None))
    if row is not None and row["after"] is None and entry.message_id:
        await statements.run(KEEP_ID, entry.item_id, entry.attempt_id, entry.message_id)
    return row


async def _record_many(entries: Sequence[Entry]) -> Mapping[Hashable, Row]:
    columns = zip(*map(_values, entries), strict=True)
    rows = await statements.run(RECORD_MANY, *map(list, columns))
    return {row["id"]: row for row in rows}


async def _record_one(entry: Entry) -> Row | None:
    rows = await statements.run(RECORD_ONE, *_values(entry))
    return rows[0] if rows else None


def _values(entry: Entry) -> tuple[Any, ...]:
    letter = entry.letter
    return (
        entry.item_id,
        entry.attempt_id,
        entry.outcome,
        storable.key(entry.message_id) if entry.message_id else None,
        storable.text(entry.code),
        storable.text(entry.text),
        entry.may_have_been_sent,
        entry.transition,
        entry.error_kind,
        entry.delay,
        entry.actor,
        entry.detail,
        entry.said,
        entry.only_after_lease,
        letter.id if letter else None,
        letter.payload if letter else None,
        entry.window,
    )


_records = Together[Entry, "Row | None"](lambda entry: entry.item_id, _record_many, _record_one)
