"""What do people sign in with besides their password?"""

from collections.abc import Sequence
from uuid import UUID

from app.models import statements
from app.models.statements import Row

FIND = "SELECT secret, recovery, confirmed_at FROM second_factors WHERE user_id = $1"

KEEP = """
INSERT INTO second_factors (user_id, secret, recovery) VALUES ($1, $2, $3)
ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, recovery = excluded.recovery
    WHERE second_factors.confirmed_at IS NULL
RETURNING user_id
"""
CONFIRM = """
UPDATE second_factors SET confirmed_at = statement_timestamp()
WHERE user_id = $1 AND secret = $2 AND confirmed_at IS NULL RETURNING user_id
"""
SPEND = """
UPDATE second_factors SET recovery = array_remove(recovery, $2)
WHERE user_id = $1 AND confirmed_at IS NOT NULL AND $2 = ANY (recovery) RETURNING user_id
"""
REMOVE = "DELETE FROM second_factors WHERE user_id = $1"


async def find(user_id: UUID) -> Row | None:
    rows = await statements.run(FIND, user_id)
    return rows[0] if rows else None


async def keep(user_id: UUID, secret: str, recovery: Sequence[str]) -> bool:
    """Encrypted, and as digests. ``False``: there is one in use, which stays."""
    return bool(await statements.run(KEEP, user_id, secret, list(recovery)))


async def confirm(user_id: UUID, secret: str) -> bool:
    """From now on it is asked for."""
    return bool(await statements.run(CONFIRM, user_id, secret))


async def spend(user_id: UUID, digest: str) -> bool:
    """A recovery code, once."""
    return bool(await statements.run(SPEND, user_id, digest))


async def remove(user_id: UUID) -> None:
    await statements.run(REMOVE, user_id)
