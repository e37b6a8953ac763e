"""Which items does a message have, and what became of them?"""

from collections.abc import Sequence
from uuid import UUID

from app.models import statements
from app.models.statements import Row

ITEMS = """
SELECT q.id, q.state, q.error_kind, q.channel, s.role, s.queued
FROM queue_items q JOIN item_search s ON s.item_id = q.id
WHERE q.{column} = $1 ORDER BY q.id
"""
BY_METHOD = {method: ITEMS.format(column=f"{method}_id") for method in ("email", "sms")}


async def list_items(method: str, message_id: UUID) -> Sequence[Row]:
    """The items of an email or SMS, copies among them, in the order in which they were made."""
    return await statements.run(BY_METHOD[method], message_id)
