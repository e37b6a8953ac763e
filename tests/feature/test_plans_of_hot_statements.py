"""The hot statements reach their rows by key, whatever else is in the tables."""

import re

import asyncpg
import pytest

from app.models.queries import claim, evidence, operate, publish, record, timeouts
from app.models.statements import Statements

FILL = """
INSERT INTO email_messages (id, sender_address, subject, text)
    VALUES ('00000000-0000-7000-8000-000000000000', 'a@example.com', 's', 't');
INSERT INTO queue_items (id, method, channel, email_id, state, attempts, attempt_id, lease_until,
        error_kind, finished_at, dispatched_at, due_at)
    SELECT gen_random_uuid(), 'email', 'smtp', '00000000-0000-7000-8000-000000000000', s.state, 1,
        gen_random_uuid(), CASE WHEN s.state = 'sending' THEN now() END,
        CASE WHEN s.state = 'errored' THEN 'rejected' END,
        CASE WHEN s.state = 'succeeded' THEN now() END, now(), now()
    FROM generate_series(1, 30000) n,
        LATERAL (SELECT CASE WHEN n % 100 = 0 THEN 'sending' WHEN n % 100 < 5 THEN 'queued'
            WHEN n % 100 < 6 THEN 'errored' WHEN n % 100 < 8 THEN 'awaiting'
            ELSE 'succeeded' END AS state) s;
INSERT INTO attempts (id, item_id, number, provider, provider_key, message_id)
    SELECT attempt_id, id, 1, 'smtp', attempt_id, attempt_id::text FROM queue_items;
INSERT INTO item_search (item_id, method, receiver_address)
    SELECT id, 'email', 'a@example.com' FROM queue_items;
INSERT INTO delivery_events (id, provider, event_key, attempt_id, type, report, applied_at)
    SELECT gen_random_uuid(), 'smtp', id::text, id, 'delivered', 'delivered', now() FROM attempts;
INSERT INTO item_history (item_id, transition, to_state, actor)
    SELECT id, 'send', 'sending', 'worker' FROM queue_items;
"""
BIG = ("queue_items", "attempts", "delivery_events", "item_search", "item_history")

HOT = {
    "claim": claim.CLAIM_ONE,
    "claim together": claim.CLAIM_MANY,
    "record": record.RECORD_ONE,
    "record together": record.RECORD_MANY,
    "match": evidence.MATCH,
    "apply": evidence.APPLY,
    "retry": operate.RETRY,
    "cancel": operate.CANCEL,
    "come due": publish.COME_DUE,
    "time out": timeouts.TIME_OUT,
    "abandoned": timeouts.ABANDONED,
    "expire": operate.EXPIRE,
}
BY_KEY = {
    *("claim", "claim together", "record", "record together"),
    *("apply", "retry", "cancel", "time out"),
}


async def plan_of(database: Statements, sql: str) -> str:
    connection = await asyncpg.connect(database._dsn)
    try:
        await connection.execute(FILL)
        await connection.execute("VACUUM ANALYZE")
        await connection.execute("SET plan_cache_mode = force_generic_plan")
        count = max((int(n) for n in re.findall(r"\$(\d+)", sql)), default=0)
        await connection.execute(f"PREPARE hot AS {sql}")
        nulls = f"({', '.join(['NULL'] * count)})" if count else ""
        rows = await connection.fetch(f"EXPLAIN EXECUTE hot{nulls}")
        return "\n".join(row[0] for row in rows)
    finally:
        await connection.close()


@pytest.mark.parametrize("name", HOT)
async def test_a_hot_statement_reads_no_big_table_from_end_to_end(
    database: Statements, name: str
) -> None:
    plan = await plan_of(database, HOT[name])
    assert not re.findall(rf"Seq Scan on (?:{'|'.join(BIG)})\b", plan), plan
    if name in BY_KEY:
        assert "queue_items_pkey" in plan, plan
        assert not re.findall(
            r"queue_items_(?:lease|due|awaiting|errored|open|done|result)", plan
        ), plan
