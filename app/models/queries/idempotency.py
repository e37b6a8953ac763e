"""Answers kept under the keys that callers chose for their requests."""

from dataclasses import dataclass
from uuid import UUID

from app.models import statements

FIND = """
SELECT digest, status, answer::text AS answer FROM idempotency_keys WHERE owner = $1 AND key = $2
"""

CLAIM = """
INSERT INTO idempotency_keys (owner, key, digest, status, answer)
SELECT $1, $2, $3, $4, $5::json FROM set_config('lock_timeout', $6, true)
ON CONFLICT (owner, key) DO NOTHING RETURNING key
"""

PRUNE = """
DELETE FROM idempotency_keys WHERE (owner, key) IN (
    SELECT owner, key FROM idempotency_keys
    WHERE created < statement_timestamp() - $1::float8 * interval '1 hour'
    ORDER BY created LIMIT $2 FOR UPDATE SKIP LOCKED)
RETURNING key
"""


@dataclass(frozen=True, slots=True, repr=False)
class Kept:
    """What a request was answered with; ``digest`` is that of the request, ``answer`` is JSON."""

    digest: str
    status: int
    answer: str


async def find(owner: UUID, key: str) -> Kept | None:
    rows = await statements.run(FIND, owner, key)
    return Kept(rows[0]["digest"], rows[0]["status"], rows[0]["answer"]) if rows else None


async def claim(owner: UUID, key: str, kept: Kept, seconds: float) -> bool:
    """Keep an answer in the open transaction; false when there is one for this key already.

    While another transaction is about to keep one, this waits for its end, ``seconds`` at most;
    then it raises what PostgreSQL raises for a lock that is not available.
    """
    patience = f"{seconds * 1000:.0f}ms"
    said = (kept.digest, kept.status, kept.answer)
    return bool(await statements.run(CLAIM, owner, key, *said, patience))


async def prune(hours: float, limit: int) -> int:
    """Forget keys that are older; how many there were."""
    return len(await statements.run(PRUNE, hours, limit))
