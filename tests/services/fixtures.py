"""What tests ask for: real PostgreSQL, real Valkey, and the booted application on both.

Each process of pytest-xdist has servers of its own, so a test may stop, kill and start them.
"""

import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from arvel.kernel import Application
from arvel.kernel.bootstrap import lifespan

from local import Services
from local import services as local_services
from tests.services import borrowed, schema
from tests.services.cleaning import empty_database, empty_redis


@pytest.fixture(scope="session")
def services(worker_id: str) -> Iterator[Services]:
    """Both servers, as this process's environment names them from now on."""
    with (
        local_services(seed=schema.migrated()) as started,
        borrowed.set_apart(started, _number(worker_id)) as ours,
    ):
        os.environ.update(ours.environment)
        yield ours


def _number(worker_id: str) -> int:
    return 0 if worker_id == "master" else int(worker_id.removeprefix("gw"))


@pytest.fixture
async def database_url(services: Services) -> str:
    """A migrated database without a row in it."""
    await empty_database(services)
    return services.database_url


@pytest.fixture
async def redis_url(services: Services) -> str:
    """A database of Valkey without a key in it."""
    await empty_redis(services)
    return services.redis_url


@pytest.fixture(autouse=True)
def storage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the application and the processes of a test keep files: nobody else's folder."""
    folder = tmp_path / "storage"
    monkeypatch.setenv("STORAGE_PATH", str(folder))
    return folder


@pytest.fixture
async def application(database_url: str, redis_url: str) -> AsyncIterator[Application]:
    """The application, booted on empty servers, with its files in a folder of its own."""
    from bootstrap.app import create_app

    async with lifespan(create_app()) as booted:
        yield booted
