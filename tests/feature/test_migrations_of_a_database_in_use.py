"""Migrating while others work: one run at a time, and nobody waits behind one that waits."""

import asyncio
import time
from collections.abc import AsyncIterator

import asyncpg
import pytest
from arvel.database import Migration, Schema
from arvel.kernel import Application
from sqlalchemy.exc import DBAPIError

from app.models.migrations import OneMigrator
from tests.fakes.waiting import patience

SLOWLY = "SELECT pg_sleep(0.5)"


class Made(Migration):
    """As one of ours, and takes its time."""

    _name = "9999_made_by_a_test"

    def up(self, schema: Schema) -> None:
        schema._op.execute(SLOWLY)
        schema._op.execute("CREATE TABLE made_by_a_test ()")

    def down(self, schema: Schema) -> None:
        schema._op.execute("DROP TABLE made_by_a_test")


class Locking(Migration):
    _name = "9999_locks"

    def up(self, schema: Schema) -> None:
        schema._op.execute("CREATE TABLE made_by_a_test ()")
        schema._op.execute("ALTER TABLE channels ADD COLUMN made_by_a_test text")


class Long(Migration):
    _name = "9999_lasts"

    def up(self, schema: Schema) -> None:
        schema._op.execute(
            "DO $$ BEGIN ASSERT current_setting('statement_timeout') = '0';"
            " ASSERT current_setting('synchronous_commit') = 'on'; END $$"
        )


@pytest.fixture
async def other(application: Application) -> AsyncIterator[asyncpg.Connection]:
    """Somebody else at the same database; what tests made is gone at the end."""
    connection = await asyncpg.connect(application.make("db").dsn)
    yield connection
    await connection.execute("DROP TABLE IF EXISTS made_by_a_test")
    await connection.execute("DELETE FROM arvel_migrations WHERE name LIKE '9999%'")
    await connection.close()


async def test_the_second_of_two_runs_waits_and_finds_nothing_to_do(
    application: Application, other: asyncpg.Connection
) -> None:
    migrator = application.make("migrator")
    assert isinstance(migrator, OneMigrator)
    assert sorted(await asyncio.gather(migrator.run([Made()]), migrator.run([Made()]))) == [0, 1]
    assert await migrator.rollback([Made()]) == 1


async def test_a_lock_that_is_not_to_be_had_ends_it_and_leaves_nothing(
    application: Application, other: asyncpg.Connection
) -> None:
    """Whoever needs the table would else wait behind it for as long as that transaction lasts."""
    began = time.monotonic()
    async with other.transaction():
        await other.execute("LOCK TABLE channels IN ROW SHARE MODE")
        with pytest.raises(DBAPIError, match="lock timeout"):
            await application.make("migrator").run([Locking()])
    assert time.monotonic() - began < patience(8)
    assert await other.fetchval("SELECT to_regclass('made_by_a_test')") is None


async def test_a_statement_may_last(application: Application, other: asyncpg.Connection) -> None:
    assert await application.make("migrator").run([Long()]) == 1
