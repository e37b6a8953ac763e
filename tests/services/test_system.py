"""The system's own PostgreSQL and Redis in place of the wheels': `bin/test --services system`."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import asyncpg
import pytest
from redis.asyncio import Redis

from local import programs, services, system


def is_missing() -> Path:
    raise programs.NotInstalled


@pytest.fixture
def missing(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Asks for a server that nobody has installed."""
    monkeypatch.setenv(programs.VARIABLE, "")
    monkeypatch.setattr(system, "PACKAGES", {"redis-server": is_missing})
    return system.main


def test_an_ordinary_user_is_told_what_root_has_to_install(
    missing: Callable[[], int], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert missing() == 1
    assert "Only root can install packages: sudo apt-get install redis-server" in (
        capsys.readouterr().err
    )


def test_where_there_is_no_apt_the_packages_are_named(
    missing: Callable[[], int], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert missing() == 1
    assert "no apt-get; install what it calls redis-server" in capsys.readouterr().err


@pytest.fixture
def chosen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("DATABASE_URL", "REDIS_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(programs.VARIABLE, programs.SYSTEM)
    programs.postgres_version.cache_clear()
    try:
        programs.postgres("postgres"), programs.valkey()
    except programs.NotInstalled as missing:
        pytest.skip(str(missing))
    yield
    programs.postgres_version.cache_clear()


async def test_the_servers_are_the_systems(chosen: None) -> None:
    with services() as running:
        connection = await asyncpg.connect(running.postgres.admin_url)
        folder = await connection.fetchval("SELECT setting FROM pg_config WHERE name = 'BINDIR'")
        await connection.close()
        async with Redis.from_url(running.redis_url) as redis:
            told = await redis.info("server")
    assert Path(folder) == programs.postgres("postgres").parent
    assert Path(told["executable"]).name in programs.VALKEY
