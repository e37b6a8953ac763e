"""Lets an item that was only set up be sent."""

from uuid import UUID

from app.models import statements
from app.models.queries.compose import DISPATCHED_AT, DUE_AT
from app.models.queries.publish import Due

NOW = "statement_timestamp()"

SCHEDULE = f"""
UPDATE queue_items SET due_at = {DUE_AT.format(scheduled="true", now=NOW, send_at="send_at")},
    dispatched_at = {DISPATCHED_AT.format(scheduled="true", now=NOW, send_at="send_at")},
    last_updated = {NOW}
WHERE id = $1 AND state = 'queued' AND due_at IS NULL
RETURNING id, priority, dispatched_at
"""


async def schedule(item_id: UUID) -> tuple[bool, Due | None]:
    """Whether this call scheduled the item, and what must be published now."""
    rows = await statements.run(SCHEDULE, item_id)
    if not rows:
        return False, None
    row = rows[0]
    due = row["dispatched_at"] is not None
    return True, Due(row["id"], row["priority"], row["dispatched_at"]) if due else None
