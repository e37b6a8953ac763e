"""Which reports of providers are too old to be of use?

A page is taken as an array, since PostgreSQL can't know how few rows it holds, and would read the
whole table to join it.
"""

from app.models import statements

CLEAR_RAW = """
UPDATE delivery_events SET raw = '{}' WHERE id = ANY (ARRAY(
    SELECT id FROM delivery_events
    WHERE raw <> '{}' AND received_at < statement_timestamp() - $1::float8 * interval '1 day'
    ORDER BY received_at LIMIT $2 FOR UPDATE SKIP LOCKED))
RETURNING id
"""


async def clear_raw(days: float, limit: int) -> int:
    """Forget the bodies of events as providers sent them; how many there were."""
    return len(await statements.run(CLEAR_RAW, days, limit))


MARK_PRUNED = """
UPDATE delivery_events SET applied_at = statement_timestamp(), verdict = 'pruned'
WHERE id = ANY (ARRAY(
    SELECT e.id FROM delivery_events e
    WHERE e.applied_at IS NULL AND e.attempt_id IS NULL AND e.verdict = 'orphan'
        AND NOT EXISTS (SELECT FROM attempts a WHERE a.id = e.attempt_key)
        AND NOT EXISTS (SELECT FROM queue_items q WHERE q.id = e.item_key)
        AND substr(COALESCE(e.attempt_key, e.item_key)::text, 15, 1) = '7'
        AND COALESCE(e.attempt_key, e.item_key) < rpad(lpad(to_hex(floor(extract(epoch FROM
            statement_timestamp() - $1::float8 * interval '1 day') * 1000)::bigint), 12, '0'),
            32, '0')::uuid
    ORDER BY e.received_at LIMIT $2 FOR UPDATE OF e SKIP LOCKED))
RETURNING id
"""
"""A key of ours is a UUIDv7, which tells when it was made (RFC 9562, section 5.7)."""


async def mark_pruned(days: float, limit: int) -> int:
    """Settle late reports about attempts and items that are gone, and old enough to be pruned."""
    return len(await statements.run(MARK_PRUNED, days, limit))


DROP_UNMATCHED = """
DELETE FROM delivery_events WHERE id = ANY (ARRAY(
    SELECT id FROM delivery_events
    WHERE item_id IS NULL AND applied_at IS NOT NULL
        AND received_at < statement_timestamp() - $1::float8 * interval '1 day'
    ORDER BY received_at LIMIT $2 FOR UPDATE SKIP LOCKED))
RETURNING id
"""


async def drop_unmatched(days: float, limit: int) -> int:
    """Delete settled reports that are about no item of ours; how many there were."""
    return len(await statements.run(DROP_UNMATCHED, days, limit))
