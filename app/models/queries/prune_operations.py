"""Which bulk operations were over so long ago that they go, with what came of each item?

An operation may have any number of results, so these go first, page by page.
"""

from collections.abc import Sequence
from uuid import UUID

from app.models import statements

FIND_OVER = """
SELECT id FROM bulk_operations
WHERE created < statement_timestamp() - $1::float8 * interval '1 day'
    AND finished_at < statement_timestamp() - $1::float8 * interval '1 day'
ORDER BY created LIMIT $2
"""
"""None has ended before it was created, which is what the index knows."""


async def find_over(days: float, limit: int) -> list[UUID]:
    """Operations that ended that many days ago."""
    return [row["id"] for row in await statements.run(FIND_OVER, days, limit)]


DROP_RESULTS = """
DELETE FROM bulk_operation_items WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM bulk_operation_items WHERE operation_id = $1
    LIMIT $2 FOR UPDATE SKIP LOCKED))
RETURNING item_id
"""
"""Results never change, so where they lie stays true until the statement ends."""


async def drop_results(operation_id: UUID, limit: int) -> int:
    """Delete results of an operation; how many there were."""
    return len(await statements.run(DROP_RESULTS, operation_id, limit))


DROP_OPERATIONS = """
DELETE FROM bulk_operations o WHERE o.id = ANY ($1)
    AND NOT EXISTS (SELECT FROM bulk_operation_items i WHERE i.operation_id = o.id)
RETURNING o.id
"""


async def drop_operations(operations: Sequence[UUID]) -> int:
    """Delete those of which no result is left; how many there were."""
    return len(await statements.run(DROP_OPERATIONS, list(operations)))
