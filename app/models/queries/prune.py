"""Which items have been done for so long that they go, with all that happened to them?

An item is locked together with its content, and only if nobody else has either locked; what hangs
on them is looked up in later statements, when nothing can be added to it any more.
"""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from app.models import statements
from app.models.queries.moves import DONE_STATES

LOCK = f"""
SELECT q.id, m.id AS content FROM queue_items q JOIN {{table}} m ON m.id = q.{{column}}
WHERE q.finished_at < statement_timestamp() - $1::float8 * interval '1 day'
    AND q.state IN ({DONE_STATES})
ORDER BY q.finished_at LIMIT $2 FOR UPDATE OF q, m SKIP LOCKED
"""
LOCK_EMAILS = LOCK.format(table="email_messages", column="email_id")
LOCK_SMS = LOCK.format(table="sms_messages", column="sms_id")


class Old(NamedTuple):
    """An item that is to go; ``content`` is its email or SMS."""

    id: UUID
    content: UUID


async def lock_old(sql: str, days: float, limit: int) -> list[Old]:
    """Items that were done that many days ago, ours until the open transaction ends."""
    return [Old(row["id"], row["content"]) for row in await statements.run(sql, days, limit)]


DROP_ITEMS = """
WITH letters AS (
    DELETE FROM failed_jobs WHERE item_id = ANY ($1)
), entries AS (
    DELETE FROM item_history WHERE item_id = ANY ($1)
), searched AS (
    DELETE FROM item_search WHERE item_id = ANY ($1)
), events AS (
    DELETE FROM delivery_events WHERE id IN (
        SELECT e.id FROM delivery_events e WHERE e.item_id = ANY ($1)
        UNION ALL
        SELECT e.id FROM attempts a JOIN delivery_events e ON e.attempt_id = a.id
        WHERE a.item_id = ANY ($1))
), tried AS (
    DELETE FROM attempts WHERE item_id = ANY ($1)
)
DELETE FROM queue_items WHERE id = ANY ($1)
"""


async def drop_items(ids: Sequence[UUID]) -> None:
    """Delete locked items with their attempts, events, history, search rows and dead letters."""
    await statements.run(DROP_ITEMS, list(ids))
