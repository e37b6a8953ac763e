"""What the files start, started: it serves, its probes tell the truth, and it ends in its grace."""

import asyncio
import os
import secrets
import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import asyncpg
import httpx
import pytest

from app.models import statements
from app.models.statements import Statements
from local import Services
from local.ports import HOST
from tests.deploy.running import Running, image, running
from tests.deploy.started import Probe, Started, all_started
from tests.deploy.test_dockerfile import copied
from tests.deploy.test_what_the_files_say import example
from tests.fakes.waiting import patience, until
from tests.feature.conftest import database

__all__ = ["database"]

TOKEN = secrets.token_hex(16)
FILLED_IN = {
    "METRICS_TOKEN": TOKEN,
    "SMTP_HOST": HOST,
    "SMTP_USERNAME": "pillarbox",
    "SMTP_PASSWORD": "secret",
    "MESSAGE_ID_DOMAIN": "example.com",
}
SOON = 20.0
"""An idle process has nothing to drain; seconds, beside others."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The image, in which nothing may be written."""
    folder = image(tmp_path_factory.mktemp("image"), copied())
    before = files_in(folder)
    yield folder
    assert files_in(folder) == before


def files_in(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
async def empty_database(services: Services) -> AsyncIterator[str]:
    """One that no migration has seen."""
    there = services.database_url.replace("+asyncpg", "")
    name = f"deployed_{os.getpid()}"
    connection = await asyncpg.connect(there)
    await connection.execute(f"CREATE DATABASE {name}")
    yield f"{there.rpartition('/')[0]}/{name}"
    await connection.execute(f"DROP DATABASE {name} (FORCE)")
    await connection.close()


@pytest.fixture
def settings(services: Services, redis_url: str) -> dict[str, str]:
    """The example of settings, filled in as its words say, and nothing more."""
    servers = {
        "APP_KEY": os.environ["APP_KEY"],
        "DATABASE_URL": services.database_url.replace("+asyncpg", ""),
        "REDIS_URL": redis_url,
    }
    return {**example("pillarbox"), **servers, **FILLED_IN}


def from_place(place: str, name: str) -> Started:
    (found,) = [s for s in all_started() if (s.place, s.name) == (place, name)]
    return found


def probes_of(name: str) -> list[Probe]:
    """Of all files; the words are the same wherever the process was started."""
    return [probe for s in all_started() if s.name == name for probe in s.probes]


async def metrics(process: Running) -> httpx.Response:
    async with httpx.AsyncClient(trust_env=False, timeout=10) as client:
        return await client.get(
            f"http://{HOST}:{process.port}/metrics", headers={"Authorization": f"Bearer {TOKEN}"}
        )


async def run(started: Started, folder: Path, environment: dict[str, str], scratch: Path) -> int:
    async with running(started, folder, environment, scratch) as process:
        return await asyncio.wait_for(process.process.wait(), patience(60))


async def test_the_web_process_is_ready_once_the_migration_has_run(
    folder: Path, settings: dict[str, str], empty_database: str, tmp_path: Path
) -> None:
    environment = {**settings, "DATABASE_URL": empty_database}
    alive = [probe for probe in probes_of("web") if probe.path == "/livez"]
    ready = [probe for probe in probes_of("web") if probe.path != "/livez"]
    async with running(from_place("kubernetes", "web"), folder, environment, tmp_path) as web:
        await web.until_it_answers(alive[0])
        assert not any([await web.answers(probe) for probe in ready])

        migrate = from_place("kubernetes", "migrate")
        assert await run(migrate, folder, environment, tmp_path) == 0
        for probe in [*alive, *ready]:
            await web.until_it_answers(probe)

        assert "pillarbox_up" in (await metrics(web)).text
        assert await web.stop() < patience(SOON)
        assert not any([await web.answers(probe) for probe in alive])


async def test_the_worker_works_as_long_as_its_file_moves(
    folder: Path, settings: dict[str, str], database: Statements, tmp_path: Path
) -> None:
    kubernetes = from_place("kubernetes", "worker")
    async with running(kubernetes, folder, settings, tmp_path) as worker:
        for probe in probes_of("worker"):
            await worker.until_it_answers(probe)
        assert "pillarbox_workers" in (await metrics(worker)).text
        (row,) = await statements.run("SELECT id FROM workers")
        assert row["id"] == kubernetes.environment["WORKER_ID"]

        worker.process.send_signal(signal.SIGSTOP)
        let_it_be_old(tmp_path / f"{kubernetes}.health")
        assert not any([await worker.answers(probe) for probe in probes_of("worker")])
        worker.process.send_signal(signal.SIGCONT)
        for probe in probes_of("worker"):
            await worker.until_it_answers(probe)

        assert await worker.stop() < patience(SOON)
    assert await statements.run("SELECT id FROM workers") == []


def let_it_be_old(file: Path) -> None:
    os.utime(file, (0, file.stat().st_mtime - 15))


async def test_what_systemd_starts_serves_and_works_and_stops(
    folder: Path, settings: dict[str, str], database: Statements, tmp_path: Path
) -> None:
    web, worker = from_place("systemd", "web"), from_place("systemd", "worker")
    assert await run(from_place("systemd", "migrate"), folder, settings, tmp_path) == 0
    async with (
        running(web, folder, settings, tmp_path) as serving,
        running(worker, folder, settings, tmp_path) as working,
    ):
        await serving.until_it_answers(Probe("health", path="/health"))

        async def has_begun() -> bool:
            return bool(await statements.run("SELECT FROM workers"))

        await until(has_begun, seconds=60)
        assert await serving.stop() < patience(SOON)
        assert await working.stop() < patience(SOON)
