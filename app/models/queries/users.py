"""Who are the people here?"""

from collections.abc import Sequence
from uuid import UUID

import asyncpg

from app.models import statements
from app.models.statements import Row

COLUMNS = "id, name, email, roles, permissions, created, disabled_at, password <> '' AS signs_in"

ADD = """
INSERT INTO users (id, name, email, password, roles, permissions) VALUES ($1, $2, $3, $4, $5, $6)
"""

WHO = "SELECT id, name, password, roles, permissions FROM users"
SIGNING_IN = f"""
{WHO} WHERE (lower(name) = lower($1) OR (email <> '' AND lower(email) = lower($1)))
    AND disabled_at IS NULL AND password <> ''
ORDER BY lower(name) = lower($1) DESC LIMIT 1
"""
SIGNED_IN = f"{WHO} WHERE id = $1 AND disabled_at IS NULL AND password <> ''"

FIND = f"SELECT {COLUMNS} FROM users WHERE lower(name) = lower($1)"
LIST = f"SELECT {COLUMNS} FROM users ORDER BY lower(name)"
GRANT = "UPDATE users SET roles = $2, permissions = $3 WHERE id = $1"
CHANGE_HASH = "UPDATE users SET password = $2 WHERE id = $1"
DISABLE = (
    "UPDATE users SET disabled_at = COALESCE(disabled_at, statement_timestamp()) WHERE id = $1"
)
ENABLE = "UPDATE users SET disabled_at = NULL WHERE id = $1"


class NameTaken(Exception):
    """Another user has this name or address."""


async def add(
    user_id: UUID,
    name: str,
    email: str,
    password: str | None,
    roles: Sequence[str],
    permissions: Sequence[str],
) -> None:
    """``password`` is a hash. Raises :class:`NameTaken`."""
    try:
        await statements.run(ADD, user_id, name, email, password, list(roles), list(permissions))
    except asyncpg.UniqueViolationError:
        raise NameTaken from None


async def find(name: str) -> Row | None:
    rows = await statements.run(FIND, name)
    return rows[0] if rows else None


async def find_signing_in(name: str) -> Row | None:
    """Who signs in by this name or address, with the hash of their password."""
    rows = await statements.run(SIGNING_IN, name)
    return rows[0] if rows else None


async def find_signed_in(user_id: UUID) -> Row | None:
    """The same of somebody who did that before; ``None`` once they are disabled."""
    rows = await statements.run(SIGNED_IN, user_id)
    return rows[0] if rows else None


async def list_users() -> Sequence[Row]:
    return await statements.run(LIST)


async def grant(user_id: UUID, roles: Sequence[str], permissions: Sequence[str]) -> None:
    await statements.run(GRANT, user_id, list(roles), list(permissions))


async def set_password(user_id: UUID, password: str) -> None:
    """``password`` is a hash."""
    await statements.run(CHANGE_HASH, user_id, password)


async def disable(user_id: UUID) -> None:
    """From now on the user signs in nowhere and none of the user's tokens works."""
    await statements.run(DISABLE, user_id)


async def enable(user_id: UUID) -> None:
    await statements.run(ENABLE, user_id)
