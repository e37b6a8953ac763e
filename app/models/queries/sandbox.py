"""The sandbox's reports that are not due yet, kept through restarts."""

import json
import uuid
from collections.abc import Mapping
from typing import Any, NamedTuple
from uuid import UUID

from app.models import statements

PLAN = """
INSERT INTO sandbox_reports (id, method, body, due_at)
VALUES ($1, $2, $3::text::jsonb, statement_timestamp() + $4::float8 * interval '1 second')
"""


async def plan(method: str, report: Mapping[str, Any], delay: float) -> None:
    """Keep a report for ``delay`` seconds."""
    await statements.run(PLAN, uuid.uuid7(), method, json.dumps(report), delay)


class Planned(NamedTuple):
    id: UUID
    method: str
    body: dict[str, Any]


TAKE = """
WITH due AS (
    SELECT id FROM sandbox_reports WHERE due_at <= statement_timestamp()
    ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
)
UPDATE sandbox_reports r SET tries = tries + 1,
    due_at = statement_timestamp() + LEAST(power(2, tries), 60) * interval '1 second'
FROM due WHERE r.id = due.id RETURNING r.id, r.method, r.body::text AS body
"""


async def take_due(limit: int) -> list[Planned]:
    """Reports that are due; each comes back later unless it is dropped."""
    rows = await statements.run(TAKE, limit)
    return [Planned(r["id"], r["method"], json.loads(r["body"])) for r in rows]


async def drop(report_id: UUID) -> None:
    """Forget a report that was delivered."""
    await statements.run("DELETE FROM sandbox_reports WHERE id = $1", report_id)


async def any_planned() -> bool:
    """Whether a report is still to come."""
    return bool(await statements.run("SELECT 1 FROM sandbox_reports LIMIT 1"))
