"""Local servers end with the process that started them, however that ends."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import asyncpg
import psutil
import pytest
from redis.asyncio import Redis

from local import folders, services
from local.ports import HOST

ROOT = Path(__file__).resolve().parents[2]
LIMIT_S = 20.0

type Holder = subprocess.Popen[str]


@pytest.fixture(autouse=True)
def no_given_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DATABASE_URL", "REDIS_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def name() -> Iterator[str]:
    name = f"test-{uuid.uuid4().hex}"
    yield name
    shutil.rmtree(folders.BASE / name, ignore_errors=True)


@pytest.fixture
def hold() -> Iterator[Callable[..., Holder]]:
    """Starts a process that holds services."""
    started: list[Holder] = []

    def start(*arguments: str) -> Holder:
        command = [sys.executable, "-m", "tests.services.holder", *arguments]
        started.append(subprocess.Popen(command, cwd=ROOT, text=True, stdout=subprocess.PIPE))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


def ports_of(holder: Holder) -> list[int]:
    assert holder.stdout is not None
    return [int(word) for word in holder.stdout.readline().split()]


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((HOST, port)) == 0


def eventually(holds: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + LIMIT_S
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.02)
    return holds()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_servers_end_with_the_process_that_started_them(
    hold: Callable[..., Holder], how: signal.Signals
) -> None:
    holder = hold()
    ports = ports_of(holder)
    assert len(ports) == 2
    assert all(listens(port) for port in ports)

    holder.send_signal(how)

    assert eventually(lambda: not any(listens(port) for port in ports))


def test_server_that_was_frozen_ends_as_well(hold: Callable[..., Holder]) -> None:
    holder = hold()
    _, port = ports_of(holder)
    [server] = [
        process
        for process in psutil.Process(holder.pid).children(recursive=True)
        if process.name() in ("valkey-server", "redis-server")
    ]
    server.suspend()

    holder.kill()

    assert eventually(lambda: not listens(port))


def test_servers_that_lost_all_who_watched_them_end_at_the_next_start(
    hold: Callable[..., Holder], name: str
) -> None:
    holder = hold(name)
    ports = ports_of(holder)
    watchers = psutil.Process(holder.pid).children()
    for process in (holder.pid, *(watcher.pid for watcher in watchers)):
        os.kill(process, signal.SIGKILL)
    holder.wait()
    assert all(listens(port) for port in ports)

    with services(name):
        assert not any(listens(port) for port in ports)


async def test_named_data_is_found_again(name: str) -> None:
    for expected in (1, 2):
        with services(name) as held:
            connection = await asyncpg.connect(held.database_url.replace("+asyncpg", ""))
            await connection.execute("CREATE TABLE IF NOT EXISTS runs (at timestamptz)")
            await connection.execute("INSERT INTO runs VALUES (now())")
            assert await connection.fetchval("SELECT count(*) FROM runs") == expected
            await connection.close()
            async with Redis.from_url(held.redis_url) as redis:
                assert await redis.incr("runs") == expected


def test_a_name_in_use_is_refused(name: str) -> None:
    with services(name), pytest.raises(folders.InUse, match=name), services(name):
        pass


async def test_killed_servers_come_back_at_the_same_address_with_their_data() -> None:
    with services() as held:
        before = held.environment
        async with Redis.from_url(held.redis_url) as redis:
            await redis.set("kept", "yes")
        held.postgres.kill()
        held.valkey.kill()
        assert not held.postgres.is_running()

        held.postgres.start()
        held.valkey.start()

        assert held.environment == before
        async with Redis.from_url(held.redis_url) as redis:
            assert await redis.get("kept") == b"yes"


async def test_other_accounts_do_not_get_in_without_the_password() -> None:
    with services() as held:
        with pytest.raises(asyncpg.InvalidPasswordError):
            await asyncpg.connect(
                host=HOST, port=held.postgres.port, user="postgres", password="guess"
            )
        (password,) = {path.stat().st_mode & 0o077 for path in folders.BASE.rglob("password")}
        assert password == 0
