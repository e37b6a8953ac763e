"""Brings a database back to what it was right after the migrations."""

from collections.abc import Callable

import asyncpg
from redis.asyncio import Redis

from local import Services
from local.given import Given
from tests.services.borrowed import MARK

DISCONNECT = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend'
        AND pid <> pg_backend_pid()
"""
TABLES = """
    SELECT format('%I', relname) FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> 'arvel_migrations'
"""


async def empty_database(services: Services) -> None:
    """Remove every row that a test wrote, and end what it left connected."""
    postgres = services.postgres
    if not postgres.is_running():
        postgres.start()
    if isinstance(postgres, Given):
        await _empty(postgres.url.replace("+asyncpg", ""), truncate)
    else:
        await _empty(postgres.admin_url, delete)


async def _empty(url: str, remove: Callable[[list[str]], str]) -> None:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(DISCONNECT)
        tables = [row[0] for row in await connection.fetch(TABLES)]
        if used := await _with_rows(connection, tables):
            await connection.execute(remove(used))
    finally:
        await connection.close()


async def _with_rows(connection: asyncpg.Connection, tables: list[str]) -> list[str]:
    looks = [f"SELECT '{table}' WHERE EXISTS (SELECT FROM {table})" for table in tables]
    return [row[0] for row in await connection.fetch(" UNION ALL ".join(looks))] if looks else []


def delete(tables: list[str]) -> str:
    """A tenth of the time of TRUNCATE, but a superuser's: foreign keys and triggers keep quiet."""
    deletes = "; ".join(f"DELETE FROM {table}" for table in tables)
    return f"BEGIN; SET LOCAL session_replication_role = replica; {deletes}; COMMIT"


def truncate(tables: list[str]) -> str:
    """What an ordinary owner of the tables may do."""
    return f"TRUNCATE {', '.join(tables)} CASCADE"


async def empty_redis(services: Services) -> None:
    """Remove every key."""
    if not services.valkey.is_running():
        services.valkey.start()
    async with Redis.from_url(services.redis_url) as redis:
        await redis.flushdb()
        if isinstance(services.valkey, Given):
            # The next run must find it ours, also when this one is killed.
            await redis.set(MARK, "1")
