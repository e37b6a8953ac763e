"""Which items have come due and must reach a worker, and what when that fails."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from app.models import statements
from app.models.queries.moves import HISTORY, sources_of


class Due(NamedTuple):
    item_id: UUID
    priority: str
    dispatched_at: datetime


COME_DUE = """
WITH due AS (
    SELECT id FROM queue_items
    WHERE state IN ('queued', 'delayed') AND due_at <= statement_timestamp()
        AND (dispatched_at IS NULL OR dispatched_at < due_at)
    ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
), taken AS (
    UPDATE queue_items q SET dispatched_at = statement_timestamp(), dispatches = 0
    FROM due WHERE q.id = due.id
    RETURNING q.id, q.priority, q.dispatched_at
)
SELECT id, priority, dispatched_at, NULL::float8 AS wait FROM taken
UNION ALL
SELECT NULL, NULL, NULL, EXTRACT(epoch FROM min(due_at) - statement_timestamp())::float8
FROM queue_items WHERE state IN ('queued', 'delayed') AND due_at > statement_timestamp()
"""


async def take_due(limit: int) -> tuple[list[Due], float | None]:
    """Items that have come due and were not dispatched since, marked as dispatched now.

    The second value is the time in seconds until the next one comes due, if there is one.
    """
    rows = await statements.run(COME_DUE, limit)
    due = [Due(r["id"], r["priority"], r["dispatched_at"]) for r in rows if r["id"] is not None]
    return due, rows[-1]["wait"]


LOST = """
WITH lost AS (
    SELECT id FROM queue_items
    WHERE state IN ('queued', 'delayed') AND due_at <= statement_timestamp()
        AND dispatched_at >= due_at AND priority = ANY ($3)
        AND dispatched_at < statement_timestamp()
            - LEAST($1::float8 * power(2, LEAST(dispatches, 10)), 600) * interval '1 second'
        AND dispatched_at < COALESCE(
            ($4::timestamptz[])[array_position($3::text[], priority)], 'infinity')
    ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED
)
UPDATE queue_items q SET dispatched_at = statement_timestamp(), dispatches = q.dispatches + 1
FROM lost WHERE q.id = lost.id
RETURNING q.id, q.priority, q.dispatched_at
"""


async def take_lost(
    after: float, limit: int, priorities: Sequence[str], oldest: Sequence[datetime | None]
) -> list[Due]:
    """Items whose message has not led to a claim for ``after`` seconds, doubling each time.

    ``oldest`` says, for each priority, when the oldest message still in its stream was put there:
    what was dispatched later than that may simply still wait its turn.
    """
    rows = await statements.run(LOST, after, limit, list(priorities), list(oldest))
    return [Due(r["id"], r["priority"], r["dispatched_at"]) for r in rows]


FAILED = f"""
WITH failed AS (
    UPDATE queue_items q SET previous_state = q.state, state = 'errored',
        error_kind = 'publish_failed', result = $3, last_updated = statement_timestamp()
    FROM unnest($1::uuid[], $2::timestamptz[]) AS g (id, dispatched_at)
    WHERE q.id = g.id AND q.state = 'queued'
        AND (g.dispatched_at IS NULL OR q.dispatched_at = g.dispatched_at)
    RETURNING q.id, q.previous_state, q.state, q.last_updated
), his AS (
    {HISTORY}
    SELECT id, NULL, 'error', previous_state, state, $4, $3, NULL, last_updated FROM failed
)
SELECT id FROM failed
"""


async def fail(items: Sequence[tuple[UUID, datetime | None]], text: str, actor: str) -> list[UUID]:
    """Publishing failed: the items that are as they were when they were scheduled are errored."""
    ordered = sorted(items)
    ids, times = [i for i, _ in ordered], [t for _, t in ordered]
    return [r["id"] for r in await statements.run(FAILED, ids, times, text, actor)]


HEAL = f"""
WITH failed AS (
    SELECT id FROM queue_items
    WHERE state = 'errored' AND error_kind = 'publish_failed'
        AND last_updated < statement_timestamp()
            - LEAST($1::float8 * power(2, LEAST(dispatches, 10)), 600) * interval '1 second'
    ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED
), healed AS (
    UPDATE queue_items q SET previous_state = q.state, state = 'queued', error_kind = NULL,
        result = NULL, due_at = GREATEST(q.due_at, statement_timestamp()),
        dispatched_at = GREATEST(q.due_at, statement_timestamp()), dispatches = q.dispatches + 1,
        last_updated = statement_timestamp()
    FROM failed WHERE q.id = failed.id AND q.state IN ({sources_of("retry")})
    RETURNING q.id, q.priority, q.previous_state, q.state, q.dispatched_at, q.last_updated
), his AS (
    {HISTORY}
    SELECT id, NULL, 'retry', previous_state, state, $3, 'publishing is tried again', NULL,
        last_updated FROM healed
)
SELECT id, priority, dispatched_at FROM healed
"""


async def heal(after: float, limit: int, actor: str) -> list[Due]:
    """Retry items whose publishing failed, by the same intervals as lost ones."""
    rows = await statements.run(HEAL, after, limit, actor)
    return [Due(r["id"], r["priority"], r["dispatched_at"]) for r in rows]
