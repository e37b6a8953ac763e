"""How many items has a token had sent, and may it have more?"""

from uuid import UUID

from app.models import statements

LOCK = "SELECT FROM api_tokens WHERE id = $1 FOR NO KEY UPDATE"
"""A statement of its own: the next one sees what those who held the lock before have counted."""

COUNT = """
WITH clock AS (
    SELECT date_trunc('hour', statement_timestamp()) AS hour
), used AS (
    SELECT COALESCE(sum(u.items) FILTER (WHERE u.hour = c.hour), 0) AS this_hour,
        COALESCE(sum(u.items), 0) AS this_day
    FROM clock c LEFT JOIN token_usage u
        ON u.token_id = $1 AND u.hour > c.hour - interval '24 hours'
)
INSERT INTO token_usage AS u (token_id, hour, items)
SELECT $1, clock.hour, $2::integer FROM clock, used
WHERE ($3::integer IS NULL OR this_hour + $2 <= $3)
    AND ($4::integer IS NULL OR this_day + $2 <= $4)
ON CONFLICT (token_id, hour) DO UPDATE SET items = u.items + EXCLUDED.items
RETURNING items
"""

PRUNE = """
DELETE FROM token_usage WHERE (token_id, hour) IN (
    SELECT token_id, hour FROM token_usage
    WHERE hour < statement_timestamp() - interval '35 days' LIMIT $1 FOR UPDATE SKIP LOCKED)
RETURNING hour
"""


async def count(token_id: UUID, items: int, hourly: int | None, daily: int | None) -> bool:
    """Count items against the token's caps, in the open transaction; false when they don't fit.

    A day is this hour and the 23 before it. Transactions of one token go one after the other from
    here to their end, so that together they can't have more.
    """
    await statements.run(LOCK, token_id)
    return bool(await statements.run(COUNT, token_id, items, hourly, daily))


async def prune(limit: int) -> int:
    """Forget what was counted 35 days ago; how many hours there were."""
    return len(await statements.run(PRUNE, limit))
