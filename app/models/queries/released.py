"""Arvel's table of delayed and released jobs, by the database's clock."""

from collections.abc import Sequence
from typing import NamedTuple

from app.models import statements

NOW = "EXTRACT(epoch FROM statement_timestamp())"

STORE = f"""
INSERT INTO jobs (queue, payload, attempts, available_at, created_at)
VALUES ($1, $2, $3,
    CASE WHEN $4::float8 > 0 THEN ceil({NOW} + $4::float8) ELSE floor({NOW}) END::int,
    floor({NOW})::int)
RETURNING id
"""


async def store(label: str, payload: str, attempts: int, delay: float) -> int:
    """Keep a job until ``delay`` seconds from now; the row's id. Joins an open transaction.

    The table holds whole seconds: a job comes due up to one of them late, and never early.
    """
    rows = await statements.run(STORE, label, payload, attempts, float(delay))
    return rows[0]["id"]


TAKE = f"""
WITH due AS (
    SELECT id FROM jobs
    WHERE available_at <= {NOW} AND (reserved_until IS NULL OR reserved_until <= {NOW})
    ORDER BY available_at LIMIT $1 FOR UPDATE SKIP LOCKED
), taken AS (
    UPDATE jobs j SET reserved_at = floor({NOW})::int,
        reserved_until = ceil({NOW} + $2::float8)::int
    FROM due WHERE j.id = due.id
    RETURNING j.id, j.queue, j.payload, ({NOW} - j.available_at)::float8 AS overdue
)
SELECT id, queue, payload, overdue, NULL::float8 AS wait FROM taken
UNION ALL
SELECT NULL, NULL, NULL, NULL, (min(available_at) - {NOW})::float8
FROM jobs WHERE available_at > {NOW}
"""


class Released(NamedTuple):
    """``overdue``: for how many seconds it has been due."""

    id: int
    label: str
    payload: str
    overdue: float


async def take_due(limit: int, reserve: float) -> tuple[list[Released], float | None]:
    """Jobs that have come due, kept from others for ``reserve`` seconds.

    The second value is the time in seconds until the next one comes due, if there is one.
    """
    rows = await statements.run(TAKE, limit, float(reserve))
    due = [
        Released(r["id"], r["queue"], r["payload"], r["overdue"])
        for r in rows
        if r["id"] is not None
    ]
    return due, rows[-1]["wait"]


async def forget(ids: Sequence[int]) -> None:
    """These jobs are elsewhere now."""
    await statements.run("DELETE FROM jobs WHERE id = ANY ($1::bigint[])", list(ids))


RESERVE = f"""
UPDATE jobs SET reserved_until = ceil({NOW} + $2::float8)::int WHERE id = ANY ($1::bigint[])
"""


async def reserve(ids: Sequence[int], seconds: float) -> None:
    """These jobs are kept from others for ``seconds`` from now."""
    await statements.run(RESERVE, list(ids), seconds)


GIVE_BACK = """
UPDATE jobs SET reserved_at = NULL, reserved_until = NULL WHERE id = ANY ($1::bigint[])
"""


async def give_back(ids: Sequence[int]) -> None:
    """These jobs could not be handed on: whoever looks next may take them."""
    await statements.run(GIVE_BACK, list(ids))
