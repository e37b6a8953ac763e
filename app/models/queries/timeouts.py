"""Which accepted messages got no final report in time, and which abandoned ones no record?"""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from app.models import statements
from app.models.queries.moves import HISTORY, rank_of, sources_of
from app.models.statements import Row


class Waiting(NamedTuple):
    """An attempt that its provider can be asked about."""

    item_id: UUID
    attempt_id: UUID
    channel: str
    message_id: str | None
    provider_key: UUID
    recipient: str
    started_at: datetime


OVERDUE = """
SELECT q.id, q.attempt_id, q.channel, a.message_id, a.provider_key, a.recipient, a.started_at
FROM queue_items q JOIN attempts a ON a.id = q.attempt_id
WHERE q.state = 'awaiting' AND q.method = $1
    AND CASE WHEN $3 THEN COALESCE(q.accepted_at, q.queued) ELSE COALESCE(q.send_at, q.queued) END
        < statement_timestamp() - $2::float8 * interval '1 hour'
ORDER BY q.queued LIMIT $4
"""


async def find_overdue(
    method: str, hours: float, *, from_acceptance: bool, limit: int
) -> list[Waiting]:
    """Items awaiting a report for longer than ``hours``."""
    rows = await statements.run(OVERDUE, method, hours, from_acceptance, limit)
    return [_waiting(row) for row in rows]


def _waiting(row: Row) -> Waiting:
    return Waiting(
        row["id"],
        row["attempt_id"],
        row["channel"],
        row["message_id"],
        row["provider_key"],
        row["recipient"],
        row["started_at"],
    )


TIME_OUT = f"""
WITH own AS (
    SELECT id, state, method, earlier_delivered FROM queue_items
    WHERE id = $1 AND attempt_id = $2 FOR UPDATE
), seen AS (
    UPDATE attempts a SET rank = GREATEST(a.rank, {rank_of("'unconfirmed'::text", "own.method")})
    FROM own WHERE a.id = $2 AND own.state IN ({sources_of("timeout")})
), moved AS (
    UPDATE queue_items q SET previous_state = q.state,
        state = CASE WHEN own.earlier_delivered THEN 'succeeded' ELSE 'unconfirmed' END,
        result = CASE WHEN own.earlier_delivered THEN q.result ELSE $3 END,
        error_kind = NULL, lease_until = NULL,
        finished_at = statement_timestamp(), last_updated = statement_timestamp()
    FROM own WHERE q.id = own.id AND own.state IN ({sources_of("timeout")})
    RETURNING q.id, q.attempt_id, q.previous_state, q.state, q.last_updated
), his AS (
    {HISTORY}
    SELECT id, attempt_id, CASE WHEN state = 'succeeded' THEN 'succeed' ELSE 'timeout' END,
        previous_state, state, $4, $3, NULL, last_updated FROM moved
)
SELECT state FROM moved
"""


async def time_out(item_id: UUID, attempt_id: UUID, text: str, actor: str) -> str | None:
    """No final status in time; ``None`` when the item meanwhile moved."""
    rows = await statements.run(TIME_OUT, item_id, attempt_id, text, actor)
    return rows[0]["state"] if rows else None


POLLABLE = """
WITH next AS (
    SELECT q.id FROM queue_items q
    WHERE q.state = 'awaiting' AND q.method = 'sms' AND q.channel = ANY ($1)
    ORDER BY q.polled_at NULLS FIRST, q.queued LIMIT $2 FOR UPDATE SKIP LOCKED
)
UPDATE queue_items q SET polled_at = statement_timestamp()
FROM next JOIN queue_items i ON i.id = next.id JOIN attempts a ON a.id = i.attempt_id
WHERE q.id = next.id AND a.message_id IS NOT NULL
RETURNING q.id, q.attempt_id, q.channel, a.message_id, a.provider_key, a.recipient, a.started_at
"""


async def take_pollable(channels: list[str], limit: int) -> list[Waiting]:
    """Awaiting messages of these channels, least recently asked first, marked as asked now."""
    rows = await statements.run(POLLABLE, channels, limit)
    return [_waiting(row) for row in rows]


ABANDONED = """
SELECT q.id, q.attempt_id, a.provider AS channel, a.message_id, a.provider_key, a.recipient,
    a.started_at, q.rescues, EXTRACT(epoch FROM statement_timestamp() - (
        SELECT min(f.started_at) FROM attempts f WHERE f.provider_key = a.provider_key
            AND f.item_id = q.id))::float8 AS key_age
FROM queue_items q JOIN attempts a ON a.id = q.attempt_id
WHERE q.state = 'sending' AND q.lease_until + interval '5 seconds' < statement_timestamp()
ORDER BY q.id LIMIT $1
"""


class Abandoned(NamedTuple):
    """An attempt that nobody works on any more; ``key_age`` in seconds since its key was new."""

    attempt: Waiting
    rescues: int
    key_age: float


async def find_abandoned(limit: int) -> list[Abandoned]:
    """Attempts whose lease is over and whose worker has recorded nothing."""
    rows = await statements.run(ABANDONED, limit)
    return [Abandoned(_waiting(row), row["rescues"], row["key_age"]) for row in rows]


EVENTS_OF = """
SELECT e.id FROM delivery_events e
WHERE e.applied_at IS NULL AND (e.attempt_key = $1 OR (e.provider = $2 AND e.message_id = $3)
    OR e.item_key = $4)
ORDER BY e.received_at
"""


async def find_events_of(attempt: Waiting) -> list[UUID]:
    """Stored events that may be about this attempt and were not applied yet."""
    rows = await statements.run(
        EVENTS_OF, attempt.attempt_id, attempt.channel, attempt.message_id, attempt.item_id
    )
    return [row["id"] for row in rows]
