"""Servers that `DATABASE_URL` and `REDIS_URL` name: tests use them without touching their data."""

import asyncio
import contextlib
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import urlsplit

import asyncpg
from redis import Redis

from local import Services
from local.given import Given
from tests.services import schema

MARK = "pillarbox:only-tests-write-here"


class NotEmpty(RuntimeError):
    """The tests would remove somebody's keys."""


@contextlib.contextmanager
def set_apart(services: Services, worker: int) -> Iterator[Services]:
    """The same servers; on those that somebody else runs, databases of our own."""
    if isinstance(services.valkey, Given):
        services = replace(services, valkey=Given("REDIS_URL", _claim(services.redis_url, worker)))
    if not isinstance(services.postgres, Given):
        yield services
        return
    with _database(services.database_url, f"pillarbox_test_{worker}") as url:
        yield replace(services, postgres=Given("DATABASE_URL", url))


@contextlib.contextmanager
def _database(there: str, name: str) -> Iterator[str]:
    ours = f"{there.rpartition('/')[0]}/{name}"
    asyncio.run(_run(there, f"DROP DATABASE IF EXISTS {name} (FORCE)", f"CREATE DATABASE {name}"))
    try:
        schema.migrate(ours)
        yield ours
    finally:
        asyncio.run(_run(there, f"DROP DATABASE {name} (FORCE)"))


async def _run(url: str, *statements: str) -> None:
    connection = await asyncpg.connect(url.replace("+asyncpg", ""))
    try:
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()


def _claim(url: str, worker: int) -> str:
    """The logical database of this process: the one that is named, or one after it."""
    parts = urlsplit(url)
    number = int(parts.path.strip("/") or 0) + worker
    ours = parts._replace(path=f"/{number}").geturl()
    with Redis.from_url(ours) as redis:
        if redis.dbsize() and not redis.exists(MARK):
            raise NotEmpty(
                f"The tests empty database {number} of REDIS_URL, but it holds keys: name another."
            )
        redis.set(MARK, "1")
    return ours
