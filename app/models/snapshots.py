"""Several reading statements that see one state of the database, and can't run for long."""

import contextlib
from collections.abc import AsyncGenerator, Sequence
from typing import Any

import asyncpg

from app.models import statements
from app.models.statements import Row

SETTINGS = "; ".join(
    (
        "SET LOCAL statement_timeout = {}",
        # What is asked for differs from page to page: a plan for the average fits none of them.
        "SET LOCAL plan_cache_mode = force_custom_plan",
        # Compiling takes longer than any of these statements.
        "SET LOCAL jit = off",
    )
)
TIMEOUT_MS = 5_000


class TookTooLong(Exception):
    """A statement did not end in its time; the snapshot goes on."""


class Snapshot:
    """A transaction that only reads, in REPEATABLE READ."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    async def run(self, sql: str, *args: Any) -> Sequence[Row]:
        return await self._connection.fetch(sql, *args)

    async def run_within(self, milliseconds: int, sql: str, *args: Any) -> Sequence[Row]:
        """Raises :class:`TookTooLong`, after which other statements may follow."""
        try:
            async with self._connection.transaction():
                await self._limit(milliseconds)
                rows = await self._connection.fetch(sql, *args)
                await self._limit(TIMEOUT_MS)
                return rows
        except asyncpg.QueryCanceledError:
            raise TookTooLong from None

    async def _limit(self, milliseconds: int) -> None:
        await self._connection.execute(f"SET LOCAL statement_timeout = {milliseconds}")


@contextlib.asynccontextmanager
async def snapshot() -> AsyncGenerator[Snapshot]:
    """Raises what :func:`app.models.statements.run` raises."""
    pool: Any = await statements.pool()
    async with (
        pool.acquire() as connection,
        connection.transaction(isolation="repeatable_read", readonly=True),
    ):
        await connection.execute(SETTINGS.format(TIMEOUT_MS))
        yield Snapshot(connection)
