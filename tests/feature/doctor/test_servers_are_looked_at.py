"""What the doctor says about servers that answer."""

import os
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from redis.asyncio import Redis

from app.doctor import Verdict, load, redis, skew
from local import Services
from local.given import Given
from tests.feature.doctor.conftest import Examine
from tests.feature.doctor.given import MIGRATIONS
from tests.feature.doctor.pooler import forgetful_pooler
from tests.unit.configuration.given import PRODUCTION

OK, WARNING, WRONG = Verdict.OK, Verdict.WARNING, Verdict.WRONG


async def test_a_sound_installation_has_nothing_wrong(examine: Examine) -> None:
    found = await examine()
    assert found.findings
    assert not [f for f in found.findings if f.verdict is WRONG]
    for check in (
        "configuration",
        "storage",
        "postgresql",
        "postgresql isolation",
        "postgresql clock",
        "postgresql connections",
        "postgresql migrations",
        "channels paused",
        "items stuck",
        "redis",
        "redis maxmemory-policy",
        "redis persistence",
        "redis clock",
        "queues",
        "quarantine",
    ):
        assert found.verdict(check) is OK, found[check]


async def test_looking_changes_nothing(examine: Examine, redis_url: str, tmp_path: Path) -> None:
    await examine()
    async with Redis.from_url(redis_url) as client:
        assert await client.keys("*") == []
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", ["fsync", "full_page_writes"])
async def test_a_database_that_may_forget_is_wrong_in_production(
    examine: Examine, services: Services, name: str
) -> None:
    if isinstance(services.postgres, Given):
        pytest.skip("this server is somebody else's")
    assert (await examine()).verdict(f"postgresql {name}") is WARNING
    found = await examine(**PRODUCTION)
    assert found.verdict(f"postgresql {name}") is WRONG
    assert found[f"postgresql {name}"].remedy == f"Set {name} = on in PostgreSQL."


async def test_a_pooler_that_forgets_our_settings_is_noticed(
    examine: Examine, database_url: str
) -> None:
    connection = await asyncpg.connect(database_url.replace("+asyncpg", ""))
    name = database_url.rpartition("/")[2]
    await connection.execute(
        f"ALTER DATABASE {name} SET default_transaction_isolation = 'serializable'"
    )
    try:
        async with forgetful_pooler(database_url) as url:
            found = await examine(DATABASE_URL=url)
    finally:
        await connection.execute(f"ALTER DATABASE {name} RESET default_transaction_isolation")
        await connection.close()
    assert found.verdict("postgresql isolation") is WRONG
    assert found.verdict("postgresql idle transactions") is WARNING
    assert "pooler" in found["postgresql isolation"].remedy


async def test_a_transaction_that_is_open_for_long_is_named(
    examine: Examine, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load, "OPEN", 0.0)
    connection = await asyncpg.connect(database_url.replace("+asyncpg", ""))
    async with connection.transaction():
        pid = await connection.fetchval("SELECT pg_backend_pid()")
        found = await examine()
    await connection.close()
    assert found.verdict("postgresql oldest transaction") is WARNING
    assert str(pid) in found["postgresql oldest transaction"].remedy


async def test_too_few_connections_for_one_more_process_are_noticed(examine: Examine) -> None:
    found = await examine(DATABASE_POOL_SIZE="1000")
    assert found.verdict("postgresql connections") is WARNING
    assert "DATABASE_POOL_SIZE" in found["postgresql connections"].remedy


async def test_a_database_without_tables_needs_migrating(
    examine: Examine, database_url: str
) -> None:
    found = await examine(DATABASE_URL=f"{database_url.rpartition('/')[0]}/postgres")
    assert found.verdict("postgresql migrations") is WRONG
    assert found["postgresql migrations"].remedy == "Run `arvel migrate`."
    assert "items waiting" not in found.checks


async def test_a_migration_that_is_missing_is_named(examine: Examine, tmp_path: Path) -> None:
    for file in (*MIGRATIONS.glob("*.py"), Path("9999_12_31_000001_newest.py")):
        (tmp_path / file.name).touch()
    found = await examine(migrations=tmp_path)
    assert found.verdict("postgresql migrations") is WRONG
    assert "9999_12_31_000001_newest" in found["postgresql migrations"].text


async def test_a_database_newer_than_the_code_is_noticed(examine: Examine, tmp_path: Path) -> None:
    first, *_ = sorted(MIGRATIONS.glob("*.py"))
    (tmp_path / first.name).touch()
    assert (await examine(migrations=tmp_path)).verdict("postgresql migrations") is WARNING


@pytest.mark.parametrize(
    ("ahead", "doubt", "verdict"),
    [(0.1, 0.0, OK), (-2.0, 0.0, OK), (2.1, 0.0, WARNING), (-7200.0, 0.1, WARNING), (2.5, 1.0, OK)],
)
def test_clocks_may_differ_by_two_seconds(ahead: float, doubt: float, verdict: Verdict) -> None:
    assert skew.judge("clock", "PostgreSQL", ahead, doubt).verdict is verdict


def test_it_is_said_which_clock_is_ahead() -> None:
    assert "is 9.0 s ahead of this host's" in skew.judge("clock", "PostgreSQL", 9.0).text
    assert "is 9.0 s behind this host's" in skew.judge("clock", "PostgreSQL", -9.0).text


async def test_a_host_with_a_wrong_clock_differs_from_both_servers(
    examine: Examine, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + 60)
    found = await examine()
    for check in ("postgresql clock", "redis clock"):
        assert found.verdict(check) is WARNING
        assert "60.0 s behind this host's" in found[check].text
        assert "NTP" in found[check].remedy


@pytest.fixture
async def valkey(services: Services, redis_url: str) -> AsyncIterator[Redis]:
    """A server whose settings may be changed."""
    if isinstance(services.valkey, Given):
        pytest.skip("this server is somebody else's")
    async with Redis.from_url(redis_url) as client:
        yield client
        await client.config_set("maxmemory", "0")
        await client.config_set("maxmemory-policy", "noeviction")
        await client.config_set("appendonly", "yes")


async def test_a_broker_that_throws_messages_away_is_wrong(examine: Examine, valkey: Redis) -> None:
    await valkey.config_set("maxmemory-policy", "allkeys-lru")
    assert (await examine()).verdict("redis maxmemory-policy") is WARNING
    await valkey.config_set("maxmemory", "1gb")
    found = await examine()
    assert found.verdict("redis maxmemory-policy") is WRONG
    assert found["redis maxmemory-policy"].remedy == "Set maxmemory-policy noeviction."


async def test_a_broker_that_is_nearly_full_is_noticed(examine: Examine, valkey: Redis) -> None:
    used = (await valkey.info("memory"))["used_memory"]
    await valkey.config_set("maxmemory", str(used + 10_000))
    assert (await examine()).verdict("redis memory") is WARNING


async def test_what_a_restart_of_the_broker_keeps_is_said(examine: Examine, valkey: Redis) -> None:
    assert "keeps what waits" in (await examine())["redis persistence"].text
    await valkey.config_set("appendonly", "no")
    assert "A restart keeps nothing" in (await examine())["redis persistence"].text


@pytest.mark.parametrize(
    ("info", "verdict"),
    [
        ({"redis_version": "6.0.16"}, WRONG),
        ({"redis_version": "6.2.0"}, OK),
        ({"redis_version": "7.2.4", "valkey_version": "7.1.0"}, WRONG),
        ({"redis_version": "7.2.4", "valkey_version": "8.0.1"}, OK),
        ({"redis_version": "7.2.4", "role": "slave"}, WRONG),
    ],
)
def test_the_broker_must_be_new_enough_and_take_changes(
    info: dict[str, Any], verdict: Verdict
) -> None:
    assert redis.version("redis", info).verdict is verdict


async def test_servers_that_differ_are_told_apart(examine: Examine, redis_url: str) -> None:
    other = f"{redis_url.rpartition('/')[0]}/1"
    found = await examine(CACHE_URL=other)
    assert {"redis REDIS_URL", "redis CACHE_URL"} <= found.checks
