"""How much waits, since when, and who works on it? In one statement, which costs no more when there
are millions of rows: nothing is counted beyond :data:`MOST`."""

from typing import NamedTuple

from app.models.snapshots import TookTooLong, snapshot
from app.workflow import DONE, ErrorKind, State

MOST = 20_000
"""More are not counted: the number then reads as this one."""
ALIVE = 30.0
"""Seconds of silence after which a worker counts as dead, as for its name."""
PATIENCE_MS = 1500


class Reading(NamedTuple):
    """One number: of which gauge, and its labels, in the order of the gauge."""

    gauge: str
    labels: tuple[str, ...]
    value: float


def _array(words: list[str]) -> str:
    return f"unnest(ARRAY[{', '.join(f"'{word}'" for word in words)}])"


def _count(rows: str) -> str:
    return f"(SELECT count(*) FROM (SELECT FROM {rows} LIMIT {MOST}) counted)::float8"


def _age(since: str) -> str:
    return f"COALESCE(EXTRACT(epoch FROM statement_timestamp() - ({since})), 0)::float8"


def _items(states: list[str], finished: str) -> str:
    of_state = f"queue_items q WHERE q.state = s AND q.method = m AND q.finished_at IS {finished}"
    return (
        f"SELECT 'items', ARRAY[s, m], {_count(of_state)}"
        f" FROM {_array(states)} s, {_array(['email', 'sms'])} m"
    )


OPEN = [state.value for state in State if state not in DONE]
WAITING_EVENTS = "delivery_events WHERE applied_at IS NULL AND verdict IS"

GAUGES = f"""
WITH due AS MATERIALIZED (
    SELECT priority, min(due_at) AS due_at,
        min(due_at) FILTER (WHERE dispatched_at IS NULL OR dispatched_at < due_at) AS unpublished
    FROM (SELECT priority, due_at, dispatched_at FROM queue_items
        WHERE state IN ('queued', 'delayed') AND due_at <= statement_timestamp()
        ORDER BY due_at LIMIT {MOST}) first
    GROUP BY priority
), silence AS (
    SELECT EXTRACT(epoch FROM statement_timestamp() - heartbeat_at)::float8 AS seconds FROM workers
)
{_items(OPEN, "NULL")}
UNION ALL {_items([state.value for state in DONE], "NOT NULL")}
UNION ALL SELECT 'errored', ARRAY[k], {
    _count("queue_items WHERE state = 'errored' AND error_kind = k")
}
    FROM {_array([kind.value for kind in ErrorKind])} k
UNION ALL SELECT 'oldest_waiting', ARRAY[p], {_age("SELECT due_at FROM due WHERE priority = p")}
    FROM {_array(["high", "default", "bulk"])} p
UNION ALL SELECT 'oldest_unpublished', '{{}}', {_age("SELECT min(unpublished) FROM due")}
UNION ALL SELECT 'oldest_lease_over', '{{}}', {
    _age(
        "SELECT min(lease_until) FROM queue_items"
        " WHERE state = 'sending' AND lease_until < statement_timestamp()"
    )
}
UNION ALL SELECT 'dead_letters', '{{}}', {_count("failed_jobs")}
UNION ALL SELECT 'reports_unapplied', ARRAY['waiting'], {
    _count(f"{WAITING_EVENTS} DISTINCT FROM 'orphan'")
}
UNION ALL SELECT 'reports_unapplied', ARRAY['orphan'], {
    _count(f"{WAITING_EVENTS} NOT DISTINCT FROM 'orphan'")
}
UNION ALL SELECT 'workers', ARRAY['alive'], count(*)::float8 FROM silence WHERE seconds <= {ALIVE}
UNION ALL SELECT 'workers', ARRAY['silent'], count(*)::float8 FROM silence WHERE seconds > {ALIVE}
UNION ALL SELECT 'heartbeat', '{{}}', min(seconds) FROM silence HAVING count(*) > 0
UNION ALL SELECT 'sweep', '{{}}', {_age("last_run")} FROM ticks WHERE name = 'sweep_items'
UNION ALL SELECT 'paused', ARRAY[name], 1 FROM channels WHERE paused_until > statement_timestamp()
UNION ALL SELECT 'oldest_transaction', '{{}}', {
    _age(
        "SELECT min(xact_start) FROM pg_stat_activity"
        " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
    )
}
UNION ALL SELECT 'oldest_xmin', '{{}}', COALESCE(GREATEST(
    (SELECT max(age(backend_xmin)) FROM pg_stat_activity WHERE pid <> pg_backend_pid()),
    (SELECT max(GREATEST(age(xmin), age(catalog_xmin))) FROM pg_replication_slots),
    (SELECT max(age(transaction)) FROM pg_prepared_xacts)), 0)::float8
"""


async def read() -> list[Reading] | None:
    """The numbers of this moment; ``None`` when they took too long to count."""
    async with snapshot() as now:
        try:
            rows = await now.run_within(
                PATIENCE_MS, f"SELECT * FROM ({GAUGES}) g (gauge, labels, value)"
            )
        except TookTooLong:
            return None
    return [Reading(row["gauge"], tuple(row["labels"]), row["value"]) for row in rows]


MIGRATIONS = "SELECT name FROM arvel_migrations"


async def applied_migrations() -> set[str]:
    async with snapshot() as now:
        return {row["name"] for row in await now.run_within(PATIENCE_MS, MIGRATIONS)}
