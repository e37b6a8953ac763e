"""Bulk operations: how many items does one mean, which come next, and what came of them?"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from app.models import statements
from app.models.queries.bulk_filter import FROM, Filter, conditions
from app.models.queries.resend import MAY_HAVE_BEEN_SENT
from app.models.statements import Row

COUNT_TO = 100_000
"""Counting stops here: a person decides the same about more, and a count must not take seconds."""

HAS_FILES_GONE = """EXISTS (SELECT FROM email_attachments e
        JOIN attachments f ON f.id = e.attachment_id JOIN blobs b ON b.sha256 = f.sha256
        WHERE e.email_id = q.email_id AND b.removed_at IS NOT NULL)"""

UNKNOWN = "q.error_kind IS NOT DISTINCT FROM 'outcome_unknown'"

JUDGED = {
    "retry": (UNKNOWN, HAS_FILES_GONE),
    "cancel": (UNKNOWN, "false"),
    "resend": (MAY_HAVE_BEEN_SENT.format("q"), HAS_FILES_GONE),
}
"""For each action: which items may have been sent, and which have lost their files."""


@dataclass(frozen=True, slots=True)
class Count:
    """How many items an action would concern now.

    ``unknown`` of them may have been sent, and are skipped without a confirmation; ``refused``
    have lost their attachments. ``more``: there are more than were counted.
    """

    matching: int
    unknown: int
    refused: int
    more: bool

    def applicable(self, *, confirm: bool) -> int:
        """To how many the action would be applied."""
        return self.matching - self.refused - (0 if confirm else self.unknown)


async def count(action: str, wanted: Filter) -> Count:
    where, values = conditions(action, wanted, 1)
    unknown, gone = JUDGED[action]
    sql = f"""
        SELECT count(*) AS n, count(*) FILTER (WHERE gone) AS gone,
            count(*) FILTER (WHERE unknown AND NOT gone) AS unknown
        FROM (SELECT {unknown} AS unknown, {gone} AS gone FROM {FROM} WHERE {where}
            LIMIT {COUNT_TO + 1}) AS counted
    """
    [row] = await statements.run(sql, *values)
    return Count(min(row["n"], COUNT_TO), row["unknown"], row["gone"], row["n"] > COUNT_TO)


OPEN = """
INSERT INTO bulk_operations (id, action, actor, filter, confirm, total, more, request_id)
VALUES ($1, $2, $3, $4::text::jsonb, $5, $6, $7, $8) ON CONFLICT DO NOTHING
RETURNING *
"""

SAME = """
SELECT * FROM bulk_operations
WHERE id = $1 OR (state = 'running' AND action = $2 AND confirm = $4
    AND md5(filter::text) = md5($3::text::jsonb::text))
ORDER BY id = $1 DESC LIMIT 1
"""


@dataclass(frozen=True, slots=True)
class NewOperation:
    id: UUID
    action: str
    actor: str
    wanted: Filter
    confirm: bool
    counted: Count
    request_id: UUID | None = None


async def open_operation(new: NewOperation) -> tuple[Row, bool]:
    """The operation, and whether it is new: one that does the same is joined while it runs."""
    wanted = json.dumps(new.wanted.as_json(), sort_keys=True)
    given = (new.counted.matching, new.counted.more, new.request_id)
    while True:
        rows = await statements.run(
            OPEN, new.id, new.action, new.actor, wanted, new.confirm, *given
        )
        if rows:
            return rows[0], True
        if rows := await statements.run(SAME, new.id, new.action, wanted, new.confirm):
            return rows[0], False


FIND = "SELECT * FROM bulk_operations WHERE id = $1"


async def find(operation_id: UUID) -> Row | None:
    rows = await statements.run(FIND, operation_id)
    return rows[0] if rows else None


LIST = "SELECT * FROM bulk_operations {behind} ORDER BY created DESC, id DESC LIMIT $1"
FIRST_PAGE = LIST.format(behind="")
LATER_PAGE = LIST.format(behind="WHERE (created, id) < ($2, $3)")


async def list_operations(before: tuple[datetime, UUID] | None, limit: int) -> Sequence[Row]:
    """Operations, the newest first, behind the time and id of one."""
    if before is None:
        return await statements.run(FIRST_PAGE, limit)
    return await statements.run(LATER_PAGE, limit, *before)


async def take(operation_id: UUID) -> Row | None:
    """Lock a running operation; ``None`` when it is over, or somebody else works on it now."""
    rows = await statements.run(
        FIND + " AND state = 'running' FOR UPDATE SKIP LOCKED", operation_id
    )
    return rows[0] if rows else None


async def next_page(operation: Row, limit: int) -> list[UUID]:
    """The next items that match, and have not changed since the operation was asked for.

    They are locked, so that they still match when the action is applied to them.
    """
    wanted = Filter.from_json(read_filter(operation))
    where, values = conditions(operation["action"], wanted, 4)
    sql = f"""
        SELECT q.id FROM {FROM} WHERE q.id > $1 AND q.last_updated <= $2 AND {where}
        ORDER BY q.id LIMIT $3 FOR UPDATE OF q
    """
    rows = await statements.run(sql, operation["cursor"], operation["created"], limit, *values)
    return [row["id"] for row in rows]


def read_filter(operation: Row) -> dict[str, str]:
    stored = operation["filter"]
    return json.loads(stored) if isinstance(stored, str) else stored


class Result(NamedTuple):
    """What came of one item: ``done``, ``refused``, or ``unknown``: it may have been sent."""

    item_id: UUID
    result: str
    state: str
    text: str
    copy_id: UUID | None


ADVANCE = """
WITH results AS (
    INSERT INTO bulk_operation_items (operation_id, item_id, result, state, text, copy_id)
    SELECT $1::uuid, * FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::uuid[])
    RETURNING item_id, result
)
UPDATE bulk_operations SET last_updated = statement_timestamp(),
    total = GREATEST(total, done + refused + unknown + cardinality($2::uuid[])),
    cursor = COALESCE($7, cursor), state = CASE WHEN $8 THEN 'finished' ELSE state END,
    finished_at = CASE WHEN $8 THEN statement_timestamp() END,
    done = done + (SELECT count(*) FROM results WHERE result = 'done'),
    refused = refused + (SELECT count(*) FROM results WHERE result = 'refused'),
    unknown = unknown + (SELECT count(*) FROM results WHERE result = 'unknown')
WHERE id = $1
RETURNING *
"""


async def advance(
    operation_id: UUID, results: Sequence[Result], cursor: UUID | None, *, finished: bool
) -> Row:
    """Note what came of a page, and go on behind it.

    An item that came to match between the count and the operation's beginning raises the total.
    """
    columns = [list(column) for column in zip(*results, strict=True)] or [[], [], [], [], []]
    [row] = await statements.run(ADVANCE, operation_id, *columns, cursor, finished)
    return row


CANCEL = """
UPDATE bulk_operations SET state = 'cancelled', finished_at = statement_timestamp(),
    cancelled_by = $2, last_updated = statement_timestamp()
WHERE id = $1 AND state = 'running' RETURNING id
"""


async def cancel(operation_id: UUID, actor: str) -> bool:
    """Stop after the page that is being worked on; false when it is over already."""
    return bool(await statements.run(CANCEL, operation_id, actor))


STALLED = """
UPDATE bulk_operations SET last_updated = statement_timestamp() WHERE id IN (
    SELECT id FROM bulk_operations WHERE state = 'running'
        AND last_updated < statement_timestamp() - $1::float8 * interval '1 second'
    ORDER BY id FOR UPDATE SKIP LOCKED)
RETURNING id
"""


async def take_stalled(seconds: float) -> list[UUID]:
    """Operations on which nobody has worked for so long, marked as taken up now."""
    return [row["id"] for row in await statements.run(STALLED, seconds)]


RESULTS = """
SELECT item_id, result, state, text, copy_id FROM bulk_operation_items
WHERE operation_id = $1 AND item_id > $2 AND ($3::text IS NULL OR result = $3)
ORDER BY item_id LIMIT $4
"""


async def results(
    operation_id: UUID, *, after: UUID, result: str | None, limit: int
) -> list[Result]:
    """What came of items so far, in the order of their ids."""
    rows = await statements.run(RESULTS, operation_id, after, result, limit)
    return [Result(r["item_id"], r["result"], r["state"], r["text"], r["copy_id"]) for r in rows]
