"""Clean-up and pruning reach their rows by index, whatever else is in the tables."""

import re

import asyncpg
import pytest

from app.models.queries import clean_files, prune, prune_content, prune_events, prune_operations
from app.models.statements import Statements
from tests.feature.conftest import database

__all__ = ["database"]

FILL = """
INSERT INTO email_messages (id, sender_address, subject, text)
    SELECT gen_random_uuid(), 'a@example.com', 's', 't' FROM generate_series(1, 30000);
INSERT INTO sms_messages (id, body) SELECT gen_random_uuid(), 't' FROM generate_series(1, 10000);
ANALYZE email_messages, sms_messages;
INSERT INTO queue_items (id, method, channel, email_id, sms_id, state, finished_at)
    SELECT gen_random_uuid(), method, 'smtp', email_id, sms_id,
        CASE WHEN n % 20 > 0 THEN 'succeeded' ELSE 'queued' END,
        CASE WHEN n % 20 > 0 THEN now() - n * interval '2 minutes' END
    FROM (SELECT row_number() OVER () AS n, 'email' AS method, id AS email_id, NULL::uuid AS sms_id
            FROM email_messages
        UNION ALL SELECT row_number() OVER (), 'sms', NULL, id FROM sms_messages) content;
INSERT INTO blobs (sha256, path, size, removed_at)
    SELECT encode(sha256(n::text::bytea), 'hex'), 'blobs/' || n, 1,
        CASE WHEN n % 3 = 0 THEN now() END
    FROM generate_series(1, 30000) n;
ANALYZE queue_items, blobs;
INSERT INTO attachments (id, sha256, name, content_type, size)
    SELECT gen_random_uuid(), sha256, 'a.txt', 'text/plain', 1 FROM blobs;
ANALYZE attachments;
INSERT INTO email_attachments (email_id, position, attachment_id)
    SELECT e.id, 1, a.id FROM (SELECT id, row_number() OVER () AS n FROM email_messages) e
    JOIN (SELECT id, row_number() OVER () AS n FROM attachments) a USING (n);
INSERT INTO email_receivers (email_id, role, position, address)
    SELECT id, 'to', 1, 'a@example.com' FROM email_messages;
INSERT INTO attempts (id, item_id, number, provider, provider_key, message_id)
    SELECT id, id, 1, 'smtp', id, id::text FROM queue_items;
ANALYZE attempts;
INSERT INTO item_search (item_id, method, receiver_address)
    SELECT id, method, 'a@example.com' FROM queue_items;
INSERT INTO delivery_events (id, provider, event_key, attempt_id, item_id, type, report,
        applied_at, received_at, raw)
    SELECT gen_random_uuid(), 'smtp', id::text, id, id, 'delivered', 'delivered', now(),
        COALESCE(finished_at, now()),
        CASE WHEN finished_at > now() - interval '30 days' THEN '{"a": 1}'::jsonb ELSE '{}' END
    FROM queue_items;
INSERT INTO item_history (item_id, transition, to_state, actor)
    SELECT id, 'send', 'sending', 'worker' FROM queue_items;
INSERT INTO bulk_operations (id, action, actor, filter, confirm, state, total, created, finished_at)
    SELECT gen_random_uuid(), 'retry', 'operator:1', '{}', false, 'finished', 300,
        now() - n * interval '1 day', now() - n * interval '1 day' FROM generate_series(1, 100) n;
INSERT INTO bulk_operation_items (operation_id, item_id, result, state)
    SELECT id, gen_random_uuid(), 'done', 'queued'
    FROM bulk_operations, generate_series(1, 300);
"""
BIG = (
    "queue_items|attempts|delivery_events|item_search|item_history|email_messages|sms_messages"
    "|email_receivers|email_attachments|attachments|blobs|bulk_operation_items"
)

STATEMENTS = {
    "files of items that just finished": clean_files.FIND_FINISHED,
    "all files": clean_files.LIST_PRESENT,
    "lock files": clean_files.LOCK,
    "mark files": clean_files.MARK_REMOVED,
    "old emails": prune.LOCK_EMAILS,
    "old sms": prune.LOCK_SMS,
    "drop items": prune.DROP_ITEMS,
    "drop emails": prune_content.DROP_EMAILS,
    "drop sms": prune_content.DROP_SMS,
    "all attachments": prune_content.LIST_UNLINKED,
    "drop attachments": prune_content.DROP_ATTACHMENTS,
    "all contents": prune_content.LIST_BLOBS,
    "drop contents": prune_content.DROP_BLOBS,
    "bodies of reports": prune_events.CLEAR_RAW,
    "late reports": prune_events.MARK_PRUNED,
    "reports about nothing": prune_events.DROP_UNMATCHED,
    "results of operations": prune_operations.DROP_RESULTS,
    "operations that are over": prune_operations.FIND_OVER,
    "drop operations": prune_operations.DROP_OPERATIONS,
}


async def test_no_statement_reads_a_big_table_from_end_to_end(database: Statements) -> None:
    connection = await asyncpg.connect(database._dsn)
    try:
        await connection.execute(FILL)
        await connection.execute("VACUUM ANALYZE")
        await connection.execute("SET plan_cache_mode = force_generic_plan")
        for name, sql in STATEMENTS.items():
            plan = await plan_of(connection, sql)
            assert not re.findall(rf"Seq Scan on (?:{BIG})\b", plan), f"{name}:\n{plan}"
    finally:
        await connection.close()


async def plan_of(connection: asyncpg.Connection, sql: str) -> str:
    await connection.execute(f"PREPARE asked AS {sql}")
    count = max(int(n) for n in re.findall(r"\$(\d+)", sql))
    rows = await connection.fetch(f"EXPLAIN EXECUTE asked({', '.join(['NULL'] * count)})")
    await connection.execute("DEALLOCATE asked")
    return "\n".join(row[0] for row in rows)


@pytest.mark.parametrize("age", [0.0, 604_800.0])
async def test_a_file_that_is_in_every_message_is_known_at_once_as_needed(
    database: Statements, age: float
) -> None:
    """Its newest message is asked about first, and the others not at all."""
    connection = await asyncpg.connect(database._dsn)
    try:
        await connection.execute(FILL.replace("0000", "000"))
        await connection.execute(
            "UPDATE queue_items SET state = 'succeeded', finished_at = now() - interval '30 days'"
        )
        await connection.execute("UPDATE attachments SET sha256 = (SELECT min(sha256) FROM blobs)")
        await connection.execute(
            "UPDATE queue_items SET state = 'queued', finished_at = NULL WHERE email_id ="
            " (SELECT email_id FROM email_attachments ORDER BY attachment_id DESC LIMIT 1)"
        )
        await connection.execute("VACUUM ANALYZE")
        rows = await connection.fetch(
            "EXPLAIN (ANALYZE, BUFFERS, TIMING OFF) "
            + clean_files.LIST_PRESENT.replace("$1", "''")
            .replace("$2", "1")
            .replace("$3", f"{age}")
        )
        plan = "\n".join(row[0] for row in rows)
        touched = re.search(r"shared hit=(\d+)(?: read=(\d+))?", plan)
        assert touched is not None
        assert sum(int(n or 0) for n in touched.groups()) < 60, plan
    finally:
        await connection.close()
