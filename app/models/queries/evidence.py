"""Which attempt is this event about, and what does it change?"""

from uuid import UUID

from app.models import statements
from app.models.queries.moves import DONE_STATES, IS_ALLOWED, MOVES_TABLE, rank_of
from app.models.queries.operate import DECIDED
from app.models.statements import Row

COULD_HAVE_SENT = "(a.outcome IS NULL OR a.outcome NOT IN ('rejected', 'not_sent'))"

MATCH = f"""
WITH e AS (SELECT * FROM delivery_events WHERE id = $1 AND applied_at IS NULL),
by_id AS (
    SELECT a.* FROM e JOIN attempts a
        ON a.provider = e.provider AND a.message_id = e.message_id
        AND (e.recipient = '' OR a.recipient = '' OR a.recipient = lower(e.recipient))
    ORDER BY a.started_at DESC LIMIT 1
), by_key AS (
    SELECT a.* FROM e JOIN attempts a
        ON a.id = e.attempt_key AND a.provider = e.provider
        AND (e.item_key IS NULL OR a.item_id = e.item_key)
), by_item AS (
    SELECT a.* FROM e JOIN attempts a
        ON a.item_id = e.item_key AND a.provider = e.provider
    WHERE e.attempt_key IS NULL AND {COULD_HAVE_SENT}
        AND (SELECT count(*) FROM attempts o JOIN e ON o.item_id = e.item_key
            WHERE {COULD_HAVE_SENT.replace("a.", "o.")}) = 1
), matched AS (
    SELECT *, 1 AS step FROM by_id UNION ALL SELECT *, 2 FROM by_key
    UNION ALL SELECT *, 3 FROM by_item ORDER BY step LIMIT 1
)
SELECT matched.id AS attempt_id, matched.item_id, matched.step,
    matched.message_id IS NOT NULL AND e.message_id IS NOT NULL
        AND matched.message_id <> e.message_id AS differs,
    matched.provider_key, matched.keyless, e.report, e.attempt_key, e.item_key,
    q.id AS known_item, e.provider,
    EXTRACT(epoch FROM statement_timestamp() - e.received_at)::float8 AS waited,
    EXTRACT(epoch FROM e.received_at - e.occurred_at)::float8 AS delay
FROM e LEFT JOIN matched ON true LEFT JOIN queue_items q ON q.id = e.item_key
"""


async def match(event_id: UUID) -> Row | None:
    """The attempt that an unapplied event is about; ``None`` when there is nothing to apply."""
    rows = await statements.run(MATCH, event_id)
    return rows[0] if rows else None


RECOVER = """
WITH own AS (
    UPDATE queue_items SET attempts = attempts + 1, last_updated = statement_timestamp()
    WHERE id = $1 AND NOT EXISTS (SELECT FROM attempts WHERE id = $2)
    RETURNING id, attempts
)
INSERT INTO attempts (id, item_id, number, provider, provider_key, recipient, recovered)
SELECT $2, own.id, own.attempts, $3, $2, lower(s.receiver_address), true
FROM own JOIN item_search s ON s.item_id = own.id
ON CONFLICT DO NOTHING
RETURNING id
"""


async def recover(item_id: UUID, attempt_key: UUID, provider: str) -> bool:
    """Create the attempt that a provider knows and our database lost; whether that was needed."""
    return bool(await statements.run(RECOVER, item_id, attempt_key, provider))


APPLY = f"""
WITH own AS (
    SELECT id, state, attempt_id, attempts, error_kind, method, earlier_delivered, lease_until
    FROM queue_items WHERE id = $3 FOR UPDATE
), current AS (
    SELECT c.provider_key FROM own JOIN attempts c ON c.id = own.attempt_id
), sure AS (
    SELECT WHERE $6 OR EXISTS (SELECT FROM current)
        OR EXISTS (SELECT FROM own WHERE attempt_id IS NULL)
), ev AS (
    SELECT e.id, e.report, e.text, e.code, e.message_id, {rank_of("e.report", "own.method")} AS rank
    FROM delivery_events e JOIN own ON true WHERE e.id = $1
), seen AS (
    UPDATE attempts a SET previous_rank = a.rank, rank = GREATEST(a.rank, ev.rank),
        report = CASE WHEN ev.rank > a.rank THEN ev.report ELSE a.report END,
        message_id = COALESCE(a.message_id, ev.message_id)
    FROM ev, sure WHERE a.id = $2
    RETURNING a.id, a.number, a.rank > a.previous_rank AS raised, a.message_id, a.provider_key
), verdict AS (
    SELECT own.id, own.state, own.error_kind, own.method, seen.id AS attempt_id, seen.message_id,
        ev.report, ev.text, ev.code, own.lease_until, own.attempt_id AS current_id,
        seen.provider_key,
        CASE WHEN ev.report = 'in_flight' THEN 'await'
            WHEN ev.report <> 'failed' THEN 'succeed'
            WHEN own.method = 'sms' AND own.earlier_delivered THEN 'succeed'
            ELSE 'error' END AS transition,
        CASE WHEN own.attempt_id = seen.id THEN 'current'
            WHEN seen.provider_key IN (SELECT provider_key FROM current) THEN 'repeated'
            WHEN own.attempt_id IS NULL AND own.attempts = seen.number THEN 'cleared'
            ELSE 'earlier' END AS standing
    FROM own JOIN seen ON seen.raised JOIN ev ON true
), ruling AS (
    SELECT v.*, m.target, m.kind FROM verdict v JOIN {MOVES_TABLE}
        ON m.transition = v.transition AND {IS_ALLOWED.format("v")}
    WHERE CASE v.standing
        WHEN 'current' THEN NOT (v.report = 'engaged' AND v.state = 'sending')
        WHEN 'repeated' THEN NOT (v.report = 'engaged' AND v.state = 'sending')
        WHEN 'cleared' THEN v.report <> 'failed'
        ELSE v.report IN ('engaged', 'delivered') AND v.state NOT IN ('sending', 'awaiting') END
    UNION ALL
    SELECT v.*, v.state, 'noted' FROM verdict v
    WHERE v.report IN ('engaged', 'delivered') AND CASE v.standing
        WHEN 'earlier' THEN v.state IN ('sending', 'awaiting')
        WHEN 'repeated' THEN v.report = 'engaged' AND v.state = 'sending'
        ELSE false END
    LIMIT 1
), moved AS (
    UPDATE queue_items q SET previous_state = q.state, state = r.target,
        earlier_delivered = q.earlier_delivered OR r.kind = 'noted',
        delivered_after_cancel = q.delivered_after_cancel
            OR (r.kind = 'ignored' AND r.transition = 'succeed'),
        attempt_id = CASE WHEN r.kind IN ('normal', 'late') THEN r.attempt_id ELSE r.current_id END,
        message_id = CASE WHEN r.kind IN ('normal', 'late')
            THEN COALESCE(r.message_id, q.message_id) ELSE q.message_id END,
        lease_until = CASE WHEN r.kind = 'noted' THEN r.lease_until END,
        error_kind = CASE WHEN r.target = 'errored' THEN 'reported' END,
        result = CASE WHEN r.kind = 'noted' THEN q.result ELSE NULLIF(r.text, '') END,
        retry_delay = CASE WHEN r.kind = 'noted' THEN q.retry_delay END,
        inherit_until = CASE WHEN r.kind IN ('normal', 'late') AND q.inherit_key = r.provider_key
            THEN NULL ELSE q.inherit_until END,
        accepted_at = CASE WHEN r.target = 'awaiting' AND r.kind <> 'noted'
            THEN statement_timestamp() ELSE q.accepted_at END,
        finished_at = CASE WHEN r.target NOT IN ({DONE_STATES}) THEN NULL
            ELSE COALESCE(q.finished_at, statement_timestamp()) END,
        last_updated = statement_timestamp()
    FROM ruling r WHERE q.id = r.id
    RETURNING q.id, r.attempt_id, r.transition, r.kind, r.text, q.previous_state, q.state,
        q.last_updated
), his AS (
    {DECIDED}
    SELECT id, attempt_id, transition, previous_state, state, $4, text, $5::uuid, last_updated
    FROM moved WHERE kind <> 'noted'
), letters AS (
    DELETE FROM failed_jobs f USING moved
    WHERE f.item_id = moved.id AND moved.kind = 'late' AND moved.state <> 'errored'
), applied AS (
    UPDATE delivery_events e SET applied_at = statement_timestamp(), attempt_id = $2, item_id = $3,
        verdict = COALESCE((SELECT kind FROM moved), 'kept')
    FROM own, sure WHERE e.id = $1
)
SELECT own.state AS before, moved.state AS after, moved.kind, EXISTS (SELECT FROM sure) AS sure
FROM own LEFT JOIN moved ON true
"""
"""An attempt at a message that is repeated stands like the current one, which repeats it.

A statement that waited for the item sees which attempt is its current one, but not that attempt,
if it came meanwhile: then it does nothing, and is run again. ``$6``: apply the event all the same.
"""

LOOKS = 3


async def apply(
    event_id: UUID, attempt_id: UUID, item_id: UUID, actor: str, key: UUID | None = None
) -> Row | None:
    """Let an event change its attempt and its item, as far as the rank of both allows.

    ``key`` marks in the history what was done by somebody's decision.
    """
    for look in range(LOOKS, 0, -1):
        rows = await statements.run(APPLY, event_id, attempt_id, item_id, actor, key, look == 1)
        if not rows:
            return None
        if rows[0]["sure"]:
            return rows[0]
    raise AssertionError("unreachable")


SETTLE = """
UPDATE delivery_events SET verdict = $2, attempt_id = COALESCE($3, attempt_id),
    item_id = COALESCE($4, item_id),
    applied_at = CASE WHEN $5 THEN statement_timestamp() ELSE applied_at END
WHERE id = $1 AND applied_at IS NULL
"""


async def settle(
    event_id: UUID,
    verdict: str,
    *,
    attempt_id: UUID | None = None,
    item_id: UUID | None = None,
    final: bool,
) -> None:
    """Note what became of an event that changes nothing; ``final`` takes it off the list."""
    await statements.run(SETTLE, event_id, verdict, attempt_id, item_id, final)


FAIL = """
UPDATE delivery_events SET failures = failures + 1,
    verdict = CASE WHEN failures + 1 >= $2 THEN 'failed' ELSE verdict END,
    applied_at = CASE WHEN failures + 1 >= $2 THEN statement_timestamp() END
WHERE id = $1 AND applied_at IS NULL
"""


async def count_failure(event_id: UUID, limit: int) -> None:
    """Count a failed application; the ``limit``-th marks the event as failed."""
    await statements.run(FAIL, event_id, limit)


STORE = """
WITH given AS (
    SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::uuid[], $6::text[],
        $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[],
        $13::timestamptz[], $14::text[])
    AS g (id, event_key, message_id, attempt_key, item_key, recipient, type, report, status, code,
        text, reason, occurred_at, raw)
), stored AS (
    INSERT INTO delivery_events (id, provider, event_key, message_id, attempt_key, item_key,
        recipient, type, report, status, code, text, reason, occurred_at, raw)
    SELECT id, $15, event_key, message_id, attempt_key, item_key, recipient, type, report, status,
        code, text, reason, occurred_at, raw::jsonb FROM given
    ON CONFLICT (provider, event_key) DO NOTHING RETURNING id
)
SELECT id FROM stored UNION ALL
SELECT e.id FROM delivery_events e JOIN given g ON g.event_key = e.event_key
WHERE e.provider = $15 AND e.applied_at IS NULL
"""


async def store(provider: str, columns: list[list[object]]) -> list[UUID]:
    """Store events column by column; the ids of those that are new or not yet applied."""
    rows = await statements.run(STORE, *columns, provider)
    return [row["id"] for row in rows]


UNAPPLIED = """
SELECT e.id FROM delivery_events e
WHERE e.applied_at IS NULL AND e.received_at < statement_timestamp() - $1::float8 * interval '1 s'
    AND (e.verdict IS DISTINCT FROM 'orphan'
        OR EXISTS (SELECT FROM attempts a
            WHERE a.provider = e.provider AND a.message_id = e.message_id)
        OR EXISTS (SELECT FROM attempts a WHERE a.id = e.attempt_key)
        OR EXISTS (SELECT FROM queue_items q WHERE q.id = e.item_key))
ORDER BY e.verdict IS NOT DISTINCT FROM 'orphan', e.received_at LIMIT $2
"""


async def find_unapplied(age: float, limit: int) -> list[UUID]:
    """Events older than ``age`` seconds that were not applied, orphans only once they fit."""
    return [row["id"] for row in await statements.run(UNAPPLIED, age, limit)]


DROP_ORPHANS = """
UPDATE delivery_events SET applied_at = statement_timestamp(), verdict = 'orphaned'
WHERE id IN (SELECT id FROM delivery_events WHERE applied_at IS NULL AND verdict = 'orphan'
    AND received_at < statement_timestamp() - $1::float8 * interval '1 hour' LIMIT 500)
"""


async def drop_orphans(hours: float) -> None:
    """Give up on orphans that nothing has fitted for so many hours; they stay, marked."""
    await statements.run(DROP_ORPHANS, hours)
