"""Who is there to send in the name of, and to send to?"""

from collections.abc import Mapping, Sequence
from uuid import UUID

from app.models import statements
from app.models.statements import Row

TABLES = frozenset({"senders", "receivers"})

COLUMNS = "id, name, email, cell, created"
FIELDS = ("name", "email", "cell")

LIST = """
SELECT {columns} FROM {table} WHERE ($1::uuid IS NULL OR id < $1) ORDER BY id DESC LIMIT $2
"""
FIND = "SELECT {columns} FROM {table} WHERE id = $1"
ADD = """
INSERT INTO {table} (id, name, email, cell) VALUES ($1, $2, $3, $4)
ON CONFLICT (id) DO NOTHING RETURNING {columns}
"""
CHANGE = """
UPDATE {table} SET
    name = CASE WHEN $2 THEN $3 ELSE name END,
    email = CASE WHEN $4 THEN $5 ELSE email END,
    cell = CASE WHEN $6 THEN $7 ELSE cell END
WHERE id = $1 AND (CASE WHEN $4 THEN $5 ELSE email END IS NOT NULL
    OR CASE WHEN $6 THEN $7 ELSE cell END IS NOT NULL)
RETURNING {columns}
"""


def _of(table: str, sql: str) -> str:
    if table not in TABLES:
        raise ValueError(table)
    return sql.format(table=table, columns=COLUMNS)


async def list_people(table: str, before: UUID | None, limit: int) -> Sequence[Row]:
    """The newest first; ``before`` is the last one of the page before."""
    return await statements.run(_of(table, LIST), before, limit)


async def find(table: str, key: UUID) -> Row | None:
    rows = await statements.run(_of(table, FIND), key)
    return rows[0] if rows else None


async def add(table: str, key: UUID, values: Mapping[str, str | None]) -> Row:
    given = [values.get(field) for field in FIELDS]
    rows = await statements.run(_of(table, ADD), key, *given)
    # Without a row it was added before, by a statement whose answer was lost.
    return rows[0] if rows else (await statements.run(_of(table, FIND), key))[0]


async def change(table: str, key: UUID, values: Mapping[str, str | None]) -> Row | None:
    """``None``: there is no such row, or it would be left without address and number."""
    pairs = [part for field in FIELDS for part in (field in values, values.get(field))]
    rows = await statements.run(_of(table, CHANGE), key, *pairs)
    return rows[0] if rows else None
