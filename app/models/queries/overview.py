"""What happened in the last hour, by whom, and what went wrong? Each bounded in time, because a
page that many look at must not cost what it watches.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

from app.models import statements
from app.models.snapshots import TookTooLong, snapshot
from app.models.statements import Row

SPAN = timedelta(hours=1)
BIN = timedelta(minutes=2)
BINS = SPAN // BIN
PATIENCE_MS = 1_000

MOVES = """
WITH bins AS (
    SELECT date_bin($1::interval, statement_timestamp(), 'epoch') AS last
)
SELECT moved.state, EXTRACT(epoch FROM bins.last - moved.bin)::int / $2::int AS behind,
    moved.count::int AS count
FROM bins, LATERAL (
    SELECT to_state AS state, date_bin($1::interval, at, 'epoch') AS bin, count(*) AS count
    FROM item_history WHERE at >= bins.last - $3::interval + $1::interval
        AND from_state IS DISTINCT FROM to_state AND to_state <> 'queued'
    GROUP BY 1, 2
    UNION ALL
    SELECT 'queued', date_bin($1::interval, queued, 'epoch'), count(*)
    FROM item_search WHERE queued >= bins.last - $3::interval + $1::interval
        AND queued <= statement_timestamp()
    GROUP BY 1, 2
) moved
"""

PROVIDERS = """
SELECT provider, count(*)::int AS attempts,
    count(*) FILTER (WHERE outcome = 'accepted')::int AS accepted,
    count(*) FILTER (WHERE outcome = 'unknown')::int AS unknown,
    count(*) FILTER (WHERE report = 'failed')::int AS failed,
    EXTRACT(epoch FROM percentile_disc(0.5) WITHIN GROUP (ORDER BY ended_at - started_at))::float8
        AS median,
    EXTRACT(epoch FROM percentile_disc(0.95) WITHIN GROUP (ORDER BY ended_at - started_at))::float8
        AS p95
FROM attempts WHERE id >= $1 AND ended_at IS NOT NULL GROUP BY provider ORDER BY provider
"""

WENT_WRONG = """
SELECT h.item_id, h.at, h.text, q.state, q.error_kind, q.channel, q.method, s.receiver_name,
    s.receiver_address
FROM (
    SELECT item_id, at, text FROM item_history
    WHERE to_state = 'errored' AND at > statement_timestamp() - interval '1 day'
    ORDER BY at DESC LIMIT 10
) h JOIN queue_items q ON q.id = h.item_id JOIN item_search s ON s.item_id = h.item_id
ORDER BY h.at DESC
"""

WORKERS = """
SELECT id, queues, concurrency, started_at, heartbeat_at,
    EXTRACT(epoch FROM statement_timestamp() - heartbeat_at)::float8 AS silent
FROM workers ORDER BY id LIMIT 50
"""


async def count_moves() -> Sequence[Row] | None:
    """How many items came to each state in each bin; ``behind`` counts bins, 0 is the present one.

    ``None``, as everywhere here, when it took too long.
    """
    return await _within(MOVES, BIN, int(BIN.total_seconds()), SPAN)


async def measure_providers() -> Sequence[Row] | None:
    """What came of the attempts that began in the last hour; ``median`` and ``p95`` in seconds."""
    return await _within(PROVIDERS, _first_since(datetime.now(UTC) - SPAN))


async def list_went_wrong() -> Sequence[Row] | None:
    """The last ten items that came to be errored, within a day."""
    return await _within(WENT_WRONG)


async def list_workers() -> Sequence[Row]:
    return await statements.run(WORKERS)


def _first_since(moment: datetime) -> UUID:
    """The least UUIDv7 (RFC 9562) of a moment: keys of attempts are made when they begin."""
    return UUID(int=(int(moment.timestamp() * 1000) << 80) | (7 << 76))


async def _within(sql: str, *args: object) -> Sequence[Row] | None:
    async with snapshot() as now:
        try:
            return await now.run_within(PATIENCE_MS, sql, *args)
        except TookTooLong:
            return None
