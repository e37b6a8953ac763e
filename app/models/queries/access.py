"""Whose token is this, and what may it do?"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from app.models import statements
from app.models.statements import Row

FIND = """
SELECT t.id, t.name, t.digest, t.abilities, t.networks, t.senders, t.sms_prefixes, t.hourly_cap,
    t.daily_cap, t.max_receivers, u.id AS user_id, u.name AS user_name, u.roles, u.permissions,
    t.revoked_at IS NULL AND t.expires_at > statement_timestamp() AND u.disabled_at IS NULL AS live,
    COALESCE(t.last_used_at < statement_timestamp() - interval '60 s', true) AS unmarked
FROM api_tokens t JOIN users u ON u.id = t.user_id WHERE t.lookup = $1
"""

FIND_BY_ID = FIND.replace("t.lookup = $1", "t.id = $1")

MARK = "UPDATE api_tokens SET last_used_at = statement_timestamp() WHERE id = $1"

ADD = """
INSERT INTO api_tokens (id, user_id, name, lookup, digest, abilities, networks, senders,
    sms_prefixes, hourly_cap, daily_cap, expires_at, max_receivers, issued_by)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
ON CONFLICT (user_id, lower(name)) WHERE revoked_at IS NULL DO NOTHING RETURNING id
"""

LIST = """
SELECT t.id, t.name, t.lookup, t.user_id, u.name AS owner, t.abilities, t.networks, t.senders,
    t.sms_prefixes, t.hourly_cap, t.daily_cap, t.max_receivers, t.created, t.expires_at,
    t.last_used_at, t.revoked_at, t.issued_by
FROM api_tokens t JOIN users u ON u.id = t.user_id
WHERE ($1::uuid IS NULL OR t.user_id = $1) AND ($2::uuid IS NULL OR t.id < $2)
ORDER BY t.id DESC LIMIT $3
"""

ONE = LIST.partition("WHERE")[0] + "WHERE t.id = $1"

REVOKE = """
WITH RECURSIVE theirs AS (
    SELECT id FROM api_tokens WHERE id = $1
    UNION SELECT t.id FROM api_tokens t JOIN theirs ON t.issued_by = theirs.id AND $2
)
UPDATE api_tokens SET revoked_at = COALESCE(revoked_at, statement_timestamp())
WHERE id IN (SELECT id FROM theirs) RETURNING id
"""

SPENT = """
SELECT COALESCE(sum(items) FILTER (WHERE hour = date_trunc('hour', statement_timestamp())), 0)
    AS this_hour, COALESCE(sum(items), 0) AS this_day
FROM token_usage
WHERE token_id = $1 AND hour > date_trunc('hour', statement_timestamp()) - interval '24 hours'
"""


@dataclass(frozen=True, slots=True, repr=False)
class NewToken:
    """A token to store; ``digest`` is all that is kept of its secret."""

    id: UUID
    user_id: UUID
    name: str
    lookup: str
    digest: bytes
    abilities: Sequence[str]
    networks: Sequence[str]
    senders: Sequence[str]
    sms_prefixes: Sequence[str]
    hourly_cap: int | None
    daily_cap: int | None
    expires_at: datetime
    max_receivers: int | None = None
    issued_by: UUID | None = None


async def find(lookup: str) -> Row | None:
    """The token with its owner; ``None`` when there is none."""
    rows = await statements.run(FIND, lookup)
    return rows[0] if rows else None


async def find_by_id(token_id: UUID) -> Row | None:
    rows = await statements.run(FIND_BY_ID, token_id)
    return rows[0] if rows else None


async def mark_used(token_id: UUID) -> None:
    await statements.run(MARK, token_id)


async def add(token: NewToken) -> bool:
    """Store a token; false when its owner has a living one of that name."""
    return bool(
        await statements.run(
            ADD,
            token.id,
            token.user_id,
            token.name,
            token.lookup,
            token.digest,
            list(token.abilities),
            list(token.networks),
            list(token.senders),
            list(token.sms_prefixes),
            token.hourly_cap,
            token.daily_cap,
            token.expires_at,
            token.max_receivers,
            token.issued_by,
        )
    )


async def list_tokens(user_id: UUID | None, before: UUID | None, limit: int) -> Sequence[Row]:
    """The tokens of one user, or of all, newest first; ``before`` is the last one known."""
    return await statements.run(LIST, user_id, before, limit)


async def find_token(token_id: UUID) -> Row | None:
    rows = await statements.run(ONE, token_id)
    return rows[0] if rows else None


async def revoke(token_id: UUID, *, issued: bool) -> int:
    """Revoke a token for good, with ``issued`` also those that it issued, and so on.

    How many that were; 0 when there is no such token.
    """
    return len(await statements.run(REVOKE, token_id, issued))


async def spent(token_id: UUID) -> tuple[int, int]:
    """Items that the token had sent in this hour, and in this one and the 23 before it."""
    [row] = await statements.run(SPENT, token_id)
    return row["this_hour"], row["this_day"]
