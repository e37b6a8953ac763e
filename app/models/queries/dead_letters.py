"""Arvel's table of jobs that failed for good."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from app.models import statements
from app.models.queries.operate import DECIDED
from app.models.statements import Row


class Letter(NamedTuple):
    """A dead letter: the queue that its job ran on, and the job as it was written down."""

    id: UUID
    label: str
    payload: str


FIND = "SELECT id, queue, payload FROM failed_jobs WHERE id = $1"
ALL = "SELECT id, queue, payload FROM failed_jobs ORDER BY failed_at, id"


async def find(letter_id: UUID) -> Letter | None:
    rows = await statements.run(FIND, letter_id)
    return Letter(rows[0]["id"], rows[0]["queue"], rows[0]["payload"]) if rows else None


async def every() -> list[Letter]:
    """All of them, the oldest first."""
    return [Letter(r["id"], r["queue"], r["payload"]) for r in await statements.run(ALL)]


async def remove(letter_id: UUID) -> None:
    await statements.run("DELETE FROM failed_jobs WHERE id = $1", letter_id)


async def take(letter_id: UUID) -> bool:
    """Remove a letter; false when somebody else did, also in a transaction that has ended since."""
    rows = await statements.run("DELETE FROM failed_jobs WHERE id = $1 RETURNING id", letter_id)
    return bool(rows)


SHOWN = """
SELECT id, (payload::jsonb) ->> 'job' AS job, queue, item_id, attempt_id, failed_at, exception
FROM failed_jobs
"""

LIST = SHOWN + "{behind} ORDER BY failed_at DESC, id DESC LIMIT $1"
FIRST_PAGE = LIST.format(behind="")
LATER_PAGE = LIST.format(behind="WHERE (failed_at, id) < ($2, $3)")


async def list_letters(before: tuple[datetime, UUID] | None, limit: int) -> Sequence[Row]:
    """Letters, the latest first, behind the time and id of one; nothing of what they carry."""
    if before is None:
        return await statements.run(FIRST_PAGE, limit)
    return await statements.run(LATER_PAGE, limit, *before)


async def show(letter_id: UUID) -> Row | None:
    rows = await statements.run(SHOWN + "WHERE id = $1", letter_id)
    return rows[0] if rows else None


OF_ITEM = SHOWN + "WHERE item_id = $1 ORDER BY failed_at DESC LIMIT 10"


async def list_of_item(item_id: UUID) -> Sequence[Row]:
    """The letters that an item has, the latest first."""
    return await statements.run(OF_ITEM, item_id)


DISCARD = f"""
WITH own AS (
    SELECT q.id, q.attempt_id, q.state FROM failed_jobs f JOIN queue_items q ON q.id = f.item_id
    WHERE f.id = $1 FOR SHARE OF q
), gone AS (
    DELETE FROM failed_jobs WHERE id = $1 AND (SELECT count(*) FROM own) >= 0 RETURNING id
), his AS (
    {DECIDED}
    SELECT own.id, own.attempt_id, 'discard', own.state, own.state, $2, $3, $4::uuid,
        statement_timestamp()
    FROM own JOIN gone ON true
)
SELECT id FROM gone
"""
"""Items are locked before their letters everywhere, so that nobody waits in a circle."""

DISCARDED = "Its dead letter was discarded."


async def discard(letter_id: UUID, actor: str, key: UUID) -> bool:
    """Throw a letter away, with a line in its item's history; false when there is none."""
    return bool(await statements.run(DISCARD, letter_id, actor, DISCARDED, key))


MOST = 5_000
"""Letters that are grouped, the latest; there should be none."""

CAUSES = f"""
SELECT f.job, COALESCE(q.error_kind, '') AS kind, COALESCE(a.provider, '') AS provider,
    COALESCE(a.code, '') AS code, count(*)::int AS count, max(f.failed_at) AS latest,
    min(f.failed_at) AS first
FROM (SELECT (payload::jsonb) ->> 'job' AS job, item_id, attempt_id, failed_at
    FROM failed_jobs ORDER BY failed_at DESC LIMIT {MOST}) f
LEFT JOIN queue_items q ON q.id = f.item_id LEFT JOIN attempts a ON a.id = f.attempt_id
GROUP BY 1, 2, 3, 4 ORDER BY count DESC, latest DESC LIMIT 50
"""

OF_CAUSE = """
SELECT f.id, f.item_id, f.failed_at, f.exception, q.state, q.error_kind, s.receiver_name,
    s.receiver_address
FROM failed_jobs f LEFT JOIN queue_items q ON q.id = f.item_id
LEFT JOIN item_search s ON s.item_id = f.item_id LEFT JOIN attempts a ON a.id = f.attempt_id
WHERE (f.payload::jsonb) ->> 'job' = $1 AND COALESCE(q.error_kind, '') = $2
    AND COALESCE(a.provider, '') = $3 AND COALESCE(a.code, '') = $4
ORDER BY f.failed_at DESC, f.id LIMIT $5
"""


class Cause(NamedTuple):
    """What letters have in common: their job, and why its item is errored, by whom."""

    job: str
    kind: str
    provider: str
    code: str


async def group_by_cause() -> Sequence[Row]:
    """How many letters each cause has, the most frequent first."""
    return await statements.run(CAUSES)


async def list_of_cause(cause: Cause, limit: int) -> Sequence[Row]:
    """Its letters with the items that they are about, the latest first."""
    return await statements.run(OF_CAUSE, *cause, limit)
