"""Fills an empty database with items as they would lie there after some months.

The newest twenty-fifth waits to be sent, one in a hundred of the others is errored, all else is
done: of a million items 50,000 are not done. Some receivers, tags and origins are rare.
"""

from collections.abc import Callable

import asyncpg

TABLES = (
    "email_messages",
    "sms_messages",
    "queue_items",
    "item_search",
    "item_tags",
    "email_receivers",
    "attempts",
    "item_history",
    "delivery_events",
)

INDEXES = """
SELECT i.indexdef, format('%I', i.indexname) AS name FROM pg_indexes i
WHERE i.schemaname = 'public' AND i.tablename = ANY ($1) AND NOT EXISTS (
    SELECT FROM pg_constraint c WHERE c.conname = i.indexname)
"""

ROWS = """
CREATE TEMPORARY TABLE made AS
SELECT n, moment AS queued,
    (lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0') || '7'
        || lpad(to_hex(n % 4096), 3, '0') || '8000' || lpad(to_hex(n), 12, '0'))::uuid AS id,
    CASE WHEN n % 10 = 3 THEN 'sms' ELSE 'email' END AS method,
    CASE WHEN n > $1::bigint - $1::bigint / 25 THEN
            CASE n % 50 WHEN 0 THEN 'delayed' WHEN 1 THEN 'awaiting' ELSE 'queued' END
        WHEN n % 200 IN (7, 133) THEN 'errored'
        WHEN n % 100 = 11 THEN 'cancelled' WHEN n % 2000 = 13 THEN 'unconfirmed'
        ELSE 'succeeded' END AS state,
    (n * 7919) % ($1::bigint / 5 + 1) AS person
FROM generate_series(1, $1::bigint) AS n,
    LATERAL (SELECT now() - ($1::bigint - n) * (interval '90 days' / $1::bigint) AS moment) m
"""

FILL = (
    """
    INSERT INTO email_messages (id, sender_name, sender_address, subject, text, queued)
    SELECT id, 'Shop', 'shop@example.com', 'Your order ' || n, 'Thank you for order ' || n, queued
    FROM made WHERE method = 'email'
    """,
    """
    INSERT INTO sms_messages (id, sender_number, body, queued)
    SELECT id, '+15550100000', 'Your code is ' || n, queued FROM made WHERE method = 'sms'
    """,
    """
    INSERT INTO queue_items (id, method, channel, email_id, sms_id, state, queued, due_at,
        dispatched_at, attempts, attempt_id, error_kind, result, message_id, finished_at,
        last_updated)
    SELECT id, method, CASE method WHEN 'sms' THEN 'twilio' ELSE 'smtp' END,
        CASE method WHEN 'email' THEN id END, CASE method WHEN 'sms' THEN id END, state, queued,
        queued, queued, CASE WHEN state = 'queued' THEN 0 ELSE 1 END,
        CASE WHEN state <> 'queued' THEN id END,
        CASE WHEN state = 'errored' THEN
            CASE n % 1000 WHEN 207 THEN 'outcome_unknown' WHEN 407 THEN 'retries_exhausted'
                ELSE 'rejected' END END,
        CASE WHEN state = 'errored' THEN '550 mailbox ' || n || ' unavailable' END,
        CASE WHEN state <> 'queued' THEN 'msg-' || n END,
        CASE WHEN state IN ('succeeded', 'cancelled', 'unconfirmed')
            THEN queued + n % 600 * interval '1 s' END, queued
    FROM made
    """,
    """
    INSERT INTO item_search (item_id, method, receiver_name, receiver_address, origin_type,
        origin_id, tags, queued, created_by)
    SELECT id, method,
        (ARRAY['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Radia'])[1 + person % 7]
            || ' ' || (ARRAY['Stone', 'Rivers', 'Fields', 'Woods', 'Lake'])[1 + person / 7 % 5]
            || ' ' || person,
        CASE method WHEN 'sms' THEN '+1555' || lpad(person::text, 7, '0')
            ELSE 'user' || person || '@mail' || person % 50 || '.example' END,
        CASE WHEN n % 20000 = 1 THEN 'refund' WHEN n % 2 = 0 THEN 'order' END,
        CASE WHEN n % 20000 = 1 OR n % 2 = 0 THEN (n / 3)::text END,
        CASE WHEN n % 100000 = 17 THEN '{receipt,audit}' WHEN n % 3 = 0 THEN '{receipt}'
            WHEN n < $1::bigint / 2 THEN '{launch}' ELSE '{}' END::text[],
        queued, CASE WHEN n % 20000 = 5 THEN 'ops/desk' ELSE 'shop/web' END
    FROM made
    """,
    """
    INSERT INTO email_receivers (email_id, role, position, name, address)
    SELECT s.item_id, 'to', 1, s.receiver_name, s.receiver_address FROM item_search s
    WHERE s.method = 'email'
    """,
    """
    INSERT INTO attempts (id, item_id, number, provider, provider_key, message_id, outcome, report,
        started_at, ended_at)
    SELECT id, id, 1, CASE method WHEN 'sms' THEN 'twilio' ELSE 'smtp' END, id, 'msg-' || n,
        CASE WHEN state = 'errored' THEN 'rejected' ELSE 'accepted' END,
        CASE WHEN state = 'succeeded' THEN 'delivered' END, queued, queued
    FROM made WHERE state <> 'queued'
    """,
    """
    INSERT INTO item_history (item_id, attempt_id, transition, from_state, to_state, actor, at)
    SELECT id, id, 'send', 'queued', 'sending', 'worker', queued FROM made WHERE state <> 'queued'
    """,
    """
    INSERT INTO delivery_events (id, provider, event_key, attempt_id, item_id, type, report,
        received_at, applied_at)
    SELECT id, 'twilio', id::text, id, id, 'delivered', 'delivered', queued, queued
    FROM made WHERE state = 'succeeded' AND method = 'sms'
    """,
)


async def fill(url: str, rows: int, say: Callable[[str], None]) -> None:
    """Put ``rows`` items into the migrated database at ``url`` (in asyncpg's form)."""
    connection = await asyncpg.connect(url, command_timeout=3600)
    try:
        await connection.execute("SET maintenance_work_mem = '512MB'; SET work_mem = '256MB'")
        indexes = await connection.fetch(INDEXES, list(TABLES))
        for index in indexes:
            await connection.execute(f"DROP INDEX {index['name']}")
        await connection.execute(ROWS.replace("$1", str(rows)))
        for statement in FILL:
            say(f"  {statement.split('(')[0].split()[-1]}")
            await connection.execute(statement.replace("$1", str(rows)))
        say("  indexes")
        for index in indexes:
            await connection.execute(index["indexdef"])
        await connection.execute("VACUUM ANALYZE")
    finally:
        await connection.close()
