"""May this item be sent now, and if so: what, to whom, and for how long may I?"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from app.models import statements
from app.models.queries.moves import HISTORY, sources_of
from app.models.statements import Row
from app.models.together import Together

INHERITED = """CASE WHEN c.inherit_until > statement_timestamp() THEN c.inherit_key
        ELSE c.attempt_id END"""
"""The key of the last attempt while that may have been sent and its provider deduplicates."""

DETAILS = """
    SELECT {more} c.id, c.attempt_id, c.method, c.channel, c.attempts, c.retries, c.not_sent,
        c.queued,
        {provider_key} AS provider_key, d.id AS doubtful_id, d.provider_key AS doubtful_key,
        d.message_id AS doubtful_message_id, d.started_at AS doubtful_started_at,
        d.provider AS doubtful_provider, s.request_id, s.receiver_name, s.receiver_address,
        m.sender_name, m.sender_address, m.subject, m.text, m.html, m.headers, m.tags,
        t.sender_number, t.body, t.media_url,
        (SELECT json_agg(json_build_array(r.role, r.address, r.name) ORDER BY r.role, r.position)
            FROM email_receivers r WHERE r.email_id = c.email_id AND r.role <> 'bcc') AS receivers,
        (SELECT json_agg(json_build_array(f.name, f.content_type, b.path, e.content_id)
                ORDER BY e.position)
            FROM email_attachments e JOIN attachments f ON f.id = e.attachment_id
            JOIN blobs b ON b.sha256 = f.sha256 WHERE e.email_id = c.email_id) AS files
    FROM {source} JOIN item_search s ON s.item_id = c.id
    LEFT JOIN email_messages m ON m.id = c.email_id
    LEFT JOIN sms_messages t ON t.id = c.sms_id
    LEFT JOIN LATERAL (SELECT a.* FROM attempts a
        WHERE c.inherit_key IS NOT NULL AND a.item_id = c.id AND a.id <> c.attempt_id
            AND (a.outcome = 'unknown' OR a.may_have_been_sent) AND a.report IS NULL
            AND 0 = (SELECT count(*) FROM attempts o WHERE o.item_id = a.item_id
                AND o.provider_key = a.provider_key AND o.outcome = 'accepted')
        ORDER BY a.number DESC LIMIT 1) d ON true
"""

CLAIM = f"""
WITH {{asked}}, claimed AS (
    UPDATE queue_items q SET previous_state = q.state, state = 'sending', attempt_id = a.key,
        attempts = q.attempts + 1, dispatches = 0, failures = 0, task_id = NULL,
        retry_delay = NULL, message_id = NULL, earlier_delivered = false, postponed_from = NULL,
        lease_until = statement_timestamp() + a.lease * interval '1 second',
        last_updated = statement_timestamp()
    FROM asked a
    WHERE q.id = a.item_id AND q.state IN ({sources_of("send")})
        AND q.due_at <= statement_timestamp()
        AND (q.expires_at IS NULL OR q.expires_at > statement_timestamp())
        AND NOT EXISTS (SELECT FROM channels p
            WHERE p.name = q.channel AND p.paused_until > statement_timestamp())
    RETURNING q.*, a.actor
), att AS (
    INSERT INTO attempts (id, item_id, number, provider, provider_key, recipient, started_at)
    SELECT c.attempt_id, c.id, c.attempts, c.channel, {INHERITED},
        lower(s.receiver_address), c.last_updated
    FROM claimed c JOIN item_search s ON s.item_id = c.id
), his AS (
    {HISTORY}
    SELECT id, attempt_id, 'send', previous_state, state, actor, NULL, NULL, last_updated
    FROM claimed
)
"""

CLAIM_ONE = CLAIM.format(
    asked="""asked AS (
    SELECT $1::uuid AS item_id, $2::uuid AS key, $3::float8 AS lease, $4::text AS actor
)"""
) + DETAILS.format(more="", provider_key=INHERITED, source="claimed c")
CLAIM_MANY = CLAIM.format(
    asked="""asked AS (
    SELECT a.item_id, a.key, a.lease, a.actor, f.attempt_id AS current_id
    FROM unnest($1::uuid[], $2::uuid[], $3::float8[], $4::text[])
        AS a (item_id, key, lease, actor)
    JOIN queue_items f ON f.id = a.item_id FOR UPDATE OF f SKIP LOCKED
)"""
) + DETAILS.format(
    more="a.item_id, a.current_id IS NOT DISTINCT FROM a.key AS mine,",
    provider_key=INHERITED,
    source="asked a LEFT JOIN claimed c ON c.id = a.item_id LEFT",
)
"""All that nobody else holds: what may not be sent has no ``id``. ``mine``: the same statement has
claimed it before, and its reply was lost."""

CLAIMED_BY_ME = (
    DETAILS.format(
        more="",
        provider_key="a.provider_key",
        source="queue_items c JOIN attempts a ON a.id = c.attempt_id",
    )
    + " WHERE c.id = $1 AND c.attempt_id = $2 AND c.state = 'sending'"
    " AND $3::float8 IS NOT NULL AND $4::text IS NOT NULL"
)


@dataclass(frozen=True, slots=True)
class Claim:
    """``lease`` in seconds."""

    item_id: UUID
    attempt_id: UUID
    lease: float
    actor: str


async def claim(item_id: UUID, attempt_id: UUID, lease: float, actor: str) -> Row | None:
    """Start an attempt; ``None`` when the item may not be sent now or somebody else was first."""
    return await _claims.ask(Claim(item_id, attempt_id, lease, actor))


async def _claim_many(claims: Sequence[Claim]) -> Mapping[Hashable, Row | None]:
    columns = zip(*((c.item_id, c.attempt_id, c.lease, c.actor) for c in claims), strict=True)
    rows = await statements.run(CLAIM_MANY, *map(list, columns))
    return {
        row["item_id"]: row if row["id"] is not None else None
        for row in rows
        if row["id"] is not None or not row["mine"]
    }


async def _claim_one(claim: Claim) -> Row | None:
    mine = (claim.item_id, claim.attempt_id, claim.lease, claim.actor)
    rows = await statements.run(CLAIM_ONE, *mine) or await statements.run(CLAIMED_BY_ME, *mine)
    return rows[0] if rows else None


_claims = Together[Claim, "Row | None"](lambda claim: claim.item_id, _claim_many, _claim_one)


REDIRECT = """
WITH att AS (UPDATE attempts SET provider = $2 WHERE id = $1 AND outcome IS NULL)
UPDATE queue_items SET channel = $2 WHERE attempt_id = $1 AND state = 'sending' RETURNING id
"""


async def redirect(attempt_id: UUID, channel: str) -> None:
    """Note that this attempt goes through another channel than its item was composed for."""
    await statements.run(REDIRECT, attempt_id, channel)


POSTPONE = """
UPDATE queue_items q SET postponed_from = COALESCE(q.postponed_from, q.due_at),
    due_at = LEAST(p.paused_until, statement_timestamp() + $2::float8 * interval '1 second')
FROM channels p
WHERE q.id = $1 AND q.state IN ('queued', 'delayed') AND q.due_at <= statement_timestamp()
    AND p.name = q.channel AND p.paused_until > statement_timestamp()
RETURNING q.id
"""


async def postpone(item_id: UUID, seconds: float) -> bool:
    """While its channel is paused an item comes due again when that ends, or in ``seconds``;
    whether it is."""
    return bool(await statements.run(POSTPONE, item_id, seconds))


COUNT_FAILURE = f"""
WITH counted AS (
    UPDATE queue_items q SET failures = q.failures + $5, previous_state = q.state,
        state = CASE WHEN q.failures + $5 >= $2 THEN 'errored' ELSE q.state END,
        error_kind = CASE WHEN q.failures + $5 >= $2 THEN 'poisoned' ELSE q.error_kind END,
        result = CASE WHEN q.failures + $5 >= $2 THEN $3 ELSE q.result END,
        last_updated = statement_timestamp()
    WHERE q.id = $1 AND q.state IN ({sources_of("send")})
    RETURNING q.*
), his AS (
    {HISTORY}
    SELECT id, NULL, 'error', previous_state, state, $4, result, NULL, last_updated FROM counted
    WHERE state = 'errored'
)
SELECT state FROM counted
"""


async def count_failure(
    item_id: UUID, limit: int, text: str, actor: str, *, runs: int = 1
) -> str | None:
    """Count runs that failed before their claim; the ``limit``-th makes the item ``poisoned``."""
    rows = await statements.run(COUNT_FAILURE, item_id, limit, text, actor, runs)
    return rows[0]["state"] if rows else None
