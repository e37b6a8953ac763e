"""The lists of operating read a page, however much there is."""

import re
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg

from app.models.queries import bulk, dead_letters
from app.models.queries.reports import WantedReports, page_of

FILL = """
INSERT INTO delivery_events (id, provider, event_key, type, report, applied_at, verdict)
    SELECT (lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint - n * 1000), 12, '0')
            || '7000' || lpad(to_hex(n), 16, '8'))::uuid,
        CASE WHEN n % 1000 = 0 THEN 'postmark' ELSE 'twilio' END, n::text,
        CASE WHEN n % 1000 = 1 THEN 'complained' ELSE 'delivered' END, 'delivered',
        CASE WHEN n % 2000 <> 5 THEN now() END,
        CASE WHEN n % 5000 = 2 THEN 'failed' ELSE 'normal' END
    FROM generate_series(1, 30000) n;
INSERT INTO failed_jobs (id, queue, payload, exception, failed_at)
    SELECT gen_random_uuid(), 'default', '{"job": "app.jobs.sweep_items:SweepItems", "state": {}}',
        '', now() - n * interval '1 s' FROM generate_series(1, 10000) n;
INSERT INTO bulk_operations (id, action, actor, filter, confirm, total, created, state, finished_at)
    SELECT gen_random_uuid(), 'retry', 'anna', '{}', false, 0, now() - n * interval '1 s',
        'finished', now() FROM generate_series(1, 10000) n;
"""
NOW = datetime.now(UTC)

LISTS: dict[str, tuple[str, list[Any]]] = {
    "all": page_of(WantedReports(), None, 51),
    "later": page_of(WantedReports(), uuid.UUID(int=2**128 - 1), 51),
    "provider": page_of(WantedReports(provider="postmark"), None, 51),
    "type": page_of(WantedReports(type="complained"), None, 51),
    "item": page_of(WantedReports(item_id=uuid.UUID(int=1)), None, 51),
    "failed": page_of(WantedReports(standing="failed"), None, 51),
    "unapplied": page_of(WantedReports(standing="unapplied"), None, 51),
    "received": page_of(WantedReports(received_until=NOW - timedelta(days=9)), None, 51),
    "letters": (dead_letters.FIRST_PAGE, [51]),
    "later letters": (dead_letters.LATER_PAGE, [51, NOW, uuid.UUID(int=1)]),
    "operations": (bulk.FIRST_PAGE, [51]),
    "later operations": (bulk.LATER_PAGE, [51, NOW, uuid.UUID(int=1)]),
}


async def test_a_page_is_read_through_an_index(database_url: str) -> None:
    connection = await asyncpg.connect(database_url.replace("+asyncpg", ""))
    try:
        await connection.execute(FILL)
        await connection.execute("VACUUM ANALYZE delivery_events, failed_jobs, bulk_operations")
        for name, (sql, values) in LISTS.items():
            rows = await connection.fetch(f"EXPLAIN (ANALYZE) {sql}", *values)
            plan = "\n".join(row[0] for row in rows)
            assert "Seq Scan" not in plan, f"{name}: {plan}"
            removed = re.findall(r"Rows Removed by Filter: (\d+)", plan)
            assert all(int(count) < 100 for count in removed), f"{name}: {plan}"
    finally:
        await connection.close()
