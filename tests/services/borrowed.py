"""Servers that `DATABASE_URL` and `REDIS_URL` name: tests use them without touching their data."""

import asyncio
import contextlib
from collections.abc import Iterator
from dataclasses import replace

import asyncpg
import pytest
from redis import Redis

from local import Services
from local.given import Given
from tests.services import schema

MARK = "pillarbox:only-tests-write-here"


@contextlib.contextmanager
def set_apart(services: Services, worker: str) -> Iterator[Services]:
    """The same servers, with a database of our own on a PostgreSQL that somebody else runs."""
    if isinstance(services.valkey, Given):
        _claim(services.redis_url, worker)
    if not isinstance(services.postgres, Given):
        yield services
        return
    name = f"pillarbox_test_{worker}"
    there = services.database_url
    ours = f"{there.rpartition('/')[0]}/{name}"
    asyncio.run(_run(there, f"DROP DATABASE IF EXISTS {name} (FORCE)", f"CREATE DATABASE {name}"))
    try:
        schema.migrate(ours)
        yield replace(services, postgres=Given("DATABASE_URL", ours))
    finally:
        asyncio.run(_run(there, f"DROP DATABASE {name} (FORCE)"))


async def _run(url: str, *statements: str) -> None:
    connection = await asyncpg.connect(url.replace("+asyncpg", ""))
    try:
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()


def _claim(url: str, worker: str) -> None:
    if worker not in ("main", "gw0"):
        pytest.exit("REDIS_URL names one database, and each process empties it: use -n 0")
    with Redis.from_url(url) as redis:
        if redis.dbsize() and not redis.exists(MARK):
            pytest.exit(
                "The tests empty the database of REDIS_URL, but it holds keys: name another"
            )
        redis.set(MARK, "1")
