"""An attempt that gives way to an earlier one, of which the provider knows after all."""

from uuid import UUID

from app.models import statements
from app.models.queries.moves import HISTORY

STAND_DOWN = f"""
WITH own AS (
    SELECT id, state FROM queue_items
    WHERE id = $1 AND attempt_id = $2 AND state = 'sending' FOR UPDATE
), earlier AS (
    SELECT a.id, a.report, a.message_id, own.id AS item_id FROM attempts a JOIN own ON true
    WHERE a.id = $3 AND a.report IN ('in_flight', 'engaged', 'delivered')
), gave_way AS (
    UPDATE attempts a SET outcome = 'not_sent', text = $4, ended_at = statement_timestamp()
    FROM earlier WHERE a.id = $2
), moved AS (
    UPDATE queue_items q SET previous_state = q.state, attempt_id = e.id, lease_until = NULL,
        state = CASE WHEN e.report = 'in_flight' THEN 'awaiting' ELSE 'succeeded' END,
        message_id = e.message_id, result = $4, accepted_at = statement_timestamp(),
        finished_at = CASE WHEN e.report <> 'in_flight' THEN statement_timestamp() END,
        last_updated = statement_timestamp()
    FROM earlier e WHERE q.id = e.item_id
    RETURNING q.id, q.attempt_id, q.previous_state, q.state, q.last_updated
), his AS (
    {HISTORY}
    SELECT id, attempt_id, CASE WHEN state = 'awaiting' THEN 'await' ELSE 'succeed' END,
        previous_state, state, $5, $4, NULL, last_updated FROM moved
)
SELECT state FROM moved
"""


async def stand_down(
    item_id: UUID, attempt_id: UUID, earlier_id: UUID, text: str, actor: str
) -> str | None:
    """Let the item follow the earlier attempt; ``None`` when nothing was reported about that."""
    rows = await statements.run(STAND_DOWN, item_id, attempt_id, earlier_id, text, actor)
    return rows[0]["state"] if rows else None
