"""Which worker has a name now? By the database's clock, and by nothing that Redis might forget."""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from app.models import statements


@dataclass(frozen=True, slots=True)
class Standing:
    """A worker that wants a name, and where it runs; ``started`` in ticks since its machine's."""

    id: str
    token: UUID
    host: str
    pid: int
    place: str
    started: int
    queues: tuple[str, ...]
    concurrency: int


class Holder(NamedTuple):
    """Who has a name; ``silent`` in seconds since its last heartbeat."""

    token: UUID
    host: str
    pid: int
    place: str
    started: int
    started_at: datetime
    heartbeat_at: datetime
    silent: float


TAKE = """
INSERT INTO workers (id, token, host, pid, place, process_started, queues, concurrency)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (id) DO UPDATE SET token = $2, host = $3, pid = $4, place = $5, process_started = $6,
    queues = $7, concurrency = $8, started_at = statement_timestamp(),
    heartbeat_at = statement_timestamp()
WHERE workers.token IN ($2, $10)
    OR workers.heartbeat_at < statement_timestamp() - $9::float8 * interval '1 second'
RETURNING id
"""

TAKEN = (
    "SELECT id FROM workers WHERE id = $1 AND token = $2"
    " AND num_nonnulls($3::text, $4::int, $5::text, $6::bigint, $7::text[], $8::int, $9::float8,"
    " $10::uuid) >= 0"
)


async def take(standing: Standing, silence: float, instead_of: UUID | None = None) -> bool:
    """Whether the name is ours now: nobody had it, or whoever did was silent for ``silence`` s.

    ``instead_of``: and also if this one has it, which is known to have ended.
    """
    rows = await statements.run(
        TAKE,
        standing.id,
        standing.token,
        standing.host,
        standing.pid,
        standing.place,
        standing.started,
        list(standing.queues),
        standing.concurrency,
        silence,
        instead_of,
        read_back=TAKEN,
    )
    return bool(rows)


HOLDER = """
SELECT token, host, pid, place, process_started, started_at, heartbeat_at,
    EXTRACT(epoch FROM statement_timestamp() - heartbeat_at)::float8 AS silent
FROM workers WHERE id = $1
"""


async def find(worker_id: str) -> Holder | None:
    rows = await statements.run(HOLDER, worker_id)
    if not rows:
        return None
    row = rows[0]
    return Holder(
        row["token"],
        row["host"],
        row["pid"],
        row["place"],
        row["process_started"],
        row["started_at"],
        row["heartbeat_at"],
        row["silent"],
    )


BEAT = """
UPDATE workers SET heartbeat_at = statement_timestamp() WHERE id = $1 AND token = $2 RETURNING id
"""


async def beat(worker_id: str, token: UUID) -> bool:
    """Say that we are alive; false when the name is somebody else's by now."""
    return bool(await statements.run(BEAT, worker_id, token))


async def leave(worker_id: str, token: UUID) -> None:
    """Give the name up."""
    await statements.run("DELETE FROM workers WHERE id = $1 AND token = $2", worker_id, token)


FORGET = """
DELETE FROM workers WHERE heartbeat_at < statement_timestamp() - $1::float8 * interval '1 second'
"""


async def forget(silence: float) -> None:
    """Remove workers that died so long ago."""
    await statements.run(FORGET, silence)
