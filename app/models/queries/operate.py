"""What an operator may do with an item, and what expiry does by itself."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from app.models import statements
from app.models.queries.files import KEEP_FILES_OF
from app.models.queries.moves import HISTORY, sources_of
from app.models.queries.publish import Due
from app.models.statements import Row

RETRY = f"""
WITH own AS (
    SELECT q.id, q.state, q.error_kind, q.email_id,
        $5::uuid IS NULL OR q.attempt_id = $5 AND q.state = 'errored' AS meant
    FROM queue_items q WHERE q.id = $1 FOR UPDATE
), files AS (
    {KEEP_FILES_OF.format("own")}
), asked AS (
    SELECT own.*, EXISTS (SELECT FROM files WHERE removed_at IS NOT NULL) AS files_gone FROM own
), moved AS (
    UPDATE queue_items q SET previous_state = q.state, state = 'queued', attempt_id = NULL,
        error_kind = NULL, result = NULL, retry_delay = NULL, task_id = NULL, retries = 0,
        failures = 0, not_sent = 0, dispatches = 0, message_id = NULL,
        due_at = statement_timestamp(), dispatched_at = statement_timestamp(),
        last_updated = statement_timestamp()
    FROM asked a WHERE q.id = a.id AND a.state IN ({sources_of("retry")}) AND NOT a.files_gone
        AND a.meant
        AND (a.error_kind IS DISTINCT FROM 'outcome_unknown' OR $2) AND NOT $4
    RETURNING q.id, q.priority, q.previous_state, q.state, q.dispatched_at, q.last_updated
), his AS (
    {HISTORY}
    SELECT id, NULL, 'retry', previous_state, state, $3, NULL, NULL, last_updated FROM moved
), letters AS (DELETE FROM failed_jobs f USING moved WHERE f.item_id = moved.id)
SELECT asked.state, asked.error_kind, asked.files_gone, asked.meant, moved.id AS moved,
    moved.priority, moved.dispatched_at FROM asked LEFT JOIN moved ON true
"""

CANCEL = f"""
WITH own AS (
    SELECT id, state, error_kind FROM queue_items WHERE id = $1 FOR UPDATE
), moved AS (
    UPDATE queue_items q SET previous_state = q.state, state = 'cancelled', error_kind = NULL,
        retry_delay = NULL, task_id = NULL,
        result = CASE WHEN own.error_kind = 'outcome_unknown'
            THEN 'Cancelled; it may have been sent.' ELSE q.result END,
        finished_at = statement_timestamp(), last_updated = statement_timestamp()
    FROM own WHERE q.id = own.id AND own.state IN ({sources_of("cancel")})
        AND (own.error_kind IS DISTINCT FROM 'outcome_unknown' OR $2) AND NOT $4
    RETURNING q.id, q.attempt_id, q.previous_state, q.state, q.result, q.last_updated
), his AS (
    {HISTORY}
    SELECT id, attempt_id, 'cancel', previous_state, state, $3, result, NULL, last_updated
    FROM moved
), letters AS (DELETE FROM failed_jobs f USING moved WHERE f.item_id = moved.id)
SELECT own.state, own.error_kind, false AS files_gone, true AS meant, moved.id AS moved,
    NULL AS priority, NULL AS dispatched_at FROM own LEFT JOIN moved ON true
"""


class Answer(NamedTuple):
    """What the item was when it was asked, whether it moved, and what to publish then.

    ``meant``: its current attempt is the one that was asked about.
    """

    state: str
    error_kind: str | None
    files_gone: bool
    meant: bool
    moved: bool
    due: Due | None


def _answer(item_id: UUID, rows: Sequence[Row]) -> Answer | None:
    if not rows:
        return None
    row = rows[0]
    due = Due(item_id, row["priority"], row["dispatched_at"]) if row["priority"] else None
    moved = row["moved"] is not None
    return Answer(
        row["state"], row["error_kind"], row["files_gone"], bool(row["meant"]), moved, due
    )


async def retry(
    item_id: UUID, actor: str, *, confirm: bool, dry_run: bool, attempt_id: UUID | None = None
) -> Answer | None:
    """Queue an item again with a fresh budget; ``None`` when there is no such item.

    ``attempt_id``: only while the item is errored with this attempt, as its dead letter says.
    """
    return _answer(
        item_id, await statements.run(RETRY, item_id, confirm, actor, dry_run, attempt_id)
    )


async def cancel(item_id: UUID, actor: str, *, confirm: bool, dry_run: bool) -> Answer | None:
    """Give an item up; ``None`` when there is no such item."""
    return _answer(item_id, await statements.run(CANCEL, item_id, confirm, actor, dry_run))


EXPIRE = f"""
WITH old AS (
    SELECT id FROM queue_items
    WHERE state IN ('queued', 'delayed') AND expires_at <= statement_timestamp()
    ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED
), moved AS (
    UPDATE queue_items q SET previous_state = q.state, state = 'cancelled', result = $2,
        retry_delay = NULL, task_id = NULL, finished_at = statement_timestamp(),
        last_updated = statement_timestamp()
    FROM old WHERE q.id = old.id AND q.state IN ('queued', 'delayed')
    RETURNING q.id, q.attempt_id, q.previous_state, q.state, q.last_updated
), his AS (
    {HISTORY}
    SELECT id, attempt_id, 'cancel', previous_state, state, $3, $2, NULL, last_updated FROM moved
)
SELECT id FROM moved
"""


async def expire(limit: int, text: str, actor: str) -> list[UUID]:
    """Cancel queued and delayed items whose ``expires_at`` has passed."""
    return [row["id"] for row in await statements.run(EXPIRE, limit, text, actor)]
