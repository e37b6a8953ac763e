"""Which channels are paused, until when and why."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from app.models import statements
from app.models.queries.operate import DECIDED
from app.models.queries.publish import Due
from app.models.statements import Row


class Paused(NamedTuple):
    """``until`` is ``None`` for a pause that ends only by a person."""

    name: str
    until: datetime | None
    reason: str


PAUSE = """
INSERT INTO channels (name, paused_until, pause_reason, changed_by, changed_at)
SELECT name, COALESCE($4::timestamptz, statement_timestamp() + $2::float8 * interval '1 second',
    'infinity'), $3, $5, statement_timestamp()
FROM unnest($1::text[]) AS name ORDER BY name
ON CONFLICT (name) DO UPDATE SET
    (paused_until, pause_reason, changed_by, changed_at) = ROW (excluded.paused_until,
        excluded.pause_reason, excluded.changed_by, excluded.changed_at)
WHERE channels.paused_until IS NULL OR channels.paused_until <= excluded.paused_until
"""


async def pause(
    names: list[str],
    seconds: float | None,
    reason: str,
    *,
    until: datetime | None = None,
    actor: str | None = None,
) -> None:
    """Pause channels for ``seconds``, ``until`` a time, or until a person resumes them.

    A longer pause stays. ``actor`` is ``None`` where no person asked for it.
    """
    await statements.run(PAUSE, names, seconds, reason, until, actor)


RESUME = """
UPDATE channels SET paused_until = NULL, pause_reason = NULL, changed_by = $2,
    changed_at = statement_timestamp()
WHERE name = $1 AND paused_until > statement_timestamp() RETURNING name
"""


async def resume(name: str, actor: str) -> bool:
    """End a pause; false when there was none."""
    return bool(await statements.run(RESUME, name, actor))


CHANGES = """
SELECT name, paused_until > statement_timestamp() AS paused,
    CASE WHEN paused_until > statement_timestamp() THEN NULLIF(paused_until, 'infinity') END
        AS until,
    CASE WHEN paused_until > statement_timestamp() THEN pause_reason END AS reason,
    changed_by, changed_at
FROM channels WHERE name = ANY ($1::text[])
"""


async def find_changes(names: list[str]) -> dict[str, Row]:
    """What channels are now, and who paused or resumed them last; by name, those that ever were."""
    return {row["name"]: row for row in await statements.run(CHANGES, names)}


PAUSED = """
SELECT name, NULLIF(paused_until, 'infinity') AS until, COALESCE(pause_reason, '') AS reason
FROM channels WHERE paused_until > statement_timestamp() ORDER BY name
"""


async def find_paused() -> list[Paused]:
    rows = await statements.run(PAUSED)
    return [Paused(row["name"], row["until"], row["reason"]) for row in rows]


BRING_BACK = """
WITH put_off AS (
    SELECT id FROM queue_items
    WHERE channel = $1 AND state IN ('queued', 'delayed') AND postponed_from IS NOT NULL
        AND due_at > statement_timestamp()
    ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED
)
UPDATE queue_items q SET due_at = q.postponed_from, postponed_from = NULL, dispatched_at = NULL
FROM put_off WHERE q.id = put_off.id RETURNING q.id
"""


async def bring_back(name: str, limit: int) -> int:
    """Make items that a pause had put off due again; how many."""
    return len(await statements.run(BRING_BACK, name, limit))


HEAL = f"""
WITH burned AS (
    SELECT q.id FROM queue_items q JOIN attempts a ON a.id = q.attempt_id
    WHERE q.channel = $1 AND q.state = 'errored' AND q.error_kind = 'configuration'
        AND a.code = ANY ($2)
    ORDER BY q.id LIMIT $3 FOR UPDATE OF q SKIP LOCKED
), moved AS (
    UPDATE queue_items q SET previous_state = q.state, state = 'queued', attempt_id = NULL,
        error_kind = NULL, result = NULL, message_id = NULL, due_at = statement_timestamp(),
        dispatched_at = statement_timestamp(), dispatches = 0,
        last_updated = statement_timestamp()
    FROM burned WHERE q.id = burned.id
    RETURNING q.id, q.priority, q.previous_state, q.state, q.dispatched_at, q.last_updated
), his AS (
    {DECIDED}
    SELECT id, NULL, 'retry', previous_state, state, $4, 'its channel was resumed', $5::uuid,
        last_updated FROM moved
)
SELECT id, priority, dispatched_at FROM moved
"""


async def heal(
    name: str, codes: list[str], limit: int, actor: str, key: UUID | None = None
) -> list[Due]:
    """Retry what the provider refused only because it did not know us: it was not sent."""
    rows = await statements.run(HEAL, name, codes, limit, actor, key)
    return [Due(UUID(str(r["id"])), r["priority"], r["dispatched_at"]) for r in rows]
