"""Arvel's table of jobs that failed for good."""

from typing import NamedTuple
from uuid import UUID

from app.models import statements


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
