"""What a call came to, written once and in full: the attempt, the item and its history.

The item is locked by its key first; the attempt's rank and the item's state are then read as they
are after that wait, so an event that came meanwhile is never overwritten. Where an item is named by
its id, each column that a CHECK ties to the state is set from that reading.
"""

from dataclasses import dataclass, replace
from uuid import UUID

import asyncpg

from app.models import statements, storable
from app.models.queries.moves import DONE_STATES, HISTORY, IS_ALLOWED, MOVES_TABLE, rank_of
from app.models.statements import Row

RECORD = f"""
WITH own AS (
    SELECT id, state, attempt_id, error_kind, method, earlier_delivered, lease_until
    FROM queue_items WHERE id = $1 FOR UPDATE
), told AS (
    UPDATE attempts a SET outcome = $3, code = $5, text = $6, may_have_been_sent = $7,
        message_id = COALESCE(a.message_id, $4), ended_at = statement_timestamp(),
        previous_rank = a.rank, rank = GREATEST(a.rank, {rank_of("$13::text", "own.method")})
    FROM own WHERE a.id = $2
        AND (a.outcome IS NULL OR a.outcome = 'unknown'
            OR ($3 = 'accepted' AND a.outcome <> 'accepted'))
        AND (NOT $14 OR (own.state = 'sending' AND own.attempt_id = $2
            AND own.lease_until + interval '5 seconds' < statement_timestamp()))
    RETURNING a.id, a.report, a.provider_key, a.message_id, a.started_at,
        a.rank > a.previous_rank AS raised
), verdict AS (
    SELECT own.id, own.state, own.error_kind, own.method, told.provider_key, told.message_id,
        told.started_at,
        CASE
            WHEN own.earlier_delivered AND own.method = 'sms' AND $3 <> 'accepted' THEN 'succeed'
            WHEN $3 = 'rejected' AND told.raised THEN $8
            WHEN told.report IN ('engaged', 'delivered') THEN 'succeed'
            WHEN own.earlier_delivered AND $3 <> 'accepted' THEN 'succeed'
            WHEN told.report = 'in_flight' THEN 'await'
            ELSE $8
        END AS transition
    FROM own JOIN told ON own.attempt_id = told.id
    WHERE own.state = 'sending'
        OR (own.state = 'errored' AND own.error_kind = 'outcome_unknown' AND $3 <> 'unknown')
        OR ($3 = 'rejected' AND told.raised)
        OR ($3 = 'accepted' AND own.state = 'delayed')
), ruling AS (
    SELECT v.*, m.target, m.kind FROM verdict v JOIN {MOVES_TABLE}
        ON m.transition = v.transition AND {IS_ALLOWED.format("v")}
    LIMIT 1
), moved AS (
    UPDATE queue_items q SET previous_state = q.state, state = r.target, lease_until = NULL,
        attempt_id = $2, error_kind = CASE WHEN r.target = 'errored' THEN $9 END,
        result = $6, message_id = COALESCE(r.message_id, q.message_id),
        retries = q.retries
            + CASE WHEN r.transition = 'delay' AND $3 = 'try_later' THEN 1 ELSE 0 END,
        not_sent = CASE WHEN $3 = 'not_sent' THEN q.not_sent + 1 ELSE 0 END,
        retry_delay = CASE WHEN r.transition = 'delay' THEN $10::float8 END,
        due_at = CASE WHEN r.transition = 'delay'
            THEN statement_timestamp() + $10::float8 * interval '1 second' ELSE q.due_at END,
        inherit_key = CASE WHEN $7 OR $3 = 'unknown' THEN r.provider_key ELSE q.inherit_key END,
        inherit_until = CASE WHEN NOT ($7 OR $3 = 'unknown') OR q.inherit_key = r.provider_key
            THEN q.inherit_until ELSE r.started_at + $17::float8 * interval '1 second' END,
        rescues = q.rescues + CASE WHEN $14 AND r.transition = 'delay' THEN 1 ELSE 0 END,
        accepted_at = CASE WHEN r.transition = 'await'
            THEN statement_timestamp() ELSE q.accepted_at END,
        finished_at = CASE WHEN r.target NOT IN ({DONE_STATES}) THEN NULL
            ELSE COALESCE(q.finished_at, statement_timestamp()) END,
        last_updated = statement_timestamp()
    FROM ruling r WHERE q.id = r.id
    RETURNING q.id, q.attempt_id, r.transition, q.previous_state, q.state, q.last_updated
), his AS (
    {HISTORY}
    SELECT id, attempt_id, transition, previous_state, state, $11, $6, $12, last_updated FROM moved
), letter AS (
    INSERT INTO failed_jobs (id, queue, payload, exception, failed_at)
    SELECT $15, 'default', $16, $6, last_updated FROM moved
    WHERE $16::text IS NOT NULL AND state = 'errored'
)
SELECT own.state AS before, own.attempt_id = $2 AS current, moved.state AS after,
    moved.transition AS transition, EXISTS (SELECT FROM attempts WHERE id = $2) AS known
FROM own LEFT JOIN moved ON true
"""


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
        row = await _record(entry)
    except asyncpg.UniqueViolationError:
        return await _record(replace(entry, message_id=None))
    if row is not None and row["after"] is None and entry.message_id:
        await statements.run(KEEP_ID, entry.item_id, entry.attempt_id, entry.message_id)
    return row


async def _record(entry: Entry) -> Row | None:
    letter = entry.letter
    rows = await statements.run(
        RECORD,
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
    return rows[0] if rows else None
