"""A worker that is started before its servers."""

import asyncio
from pathlib import Path

import pytest

from local import Services
from local.given import Given
from tests.fakes.processes import arvel
from tests.worker.workers import until


async def test_worker_waits_for_a_database_that_is_not_there_yet(
    services: Services, database_url: str, redis_url: str, tmp_path: Path
) -> None:
    if isinstance(services.postgres, Given):
        pytest.skip("this server is somebody else's")
    log = tmp_path / "log"
    services.postgres.kill()
    async with arvel("queue:work", log=log) as process:

        async def said(action: str) -> bool:
            return action in log.read_text()

        await until(lambda: said("server_away"))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(process.wait(), 4)
        services.postgres.start()
        await until(lambda: said("processing queues"))
        assert log.read_text().count("server_away") == 1


async def test_worker_that_the_database_refuses_does_not_wait(
    database_url: str, redis_url: str, tmp_path: Path
) -> None:
    there = {"DATABASE_URL": f"{database_url.rpartition('/')[0]}/no_such_database"}
    async with arvel("queue:work", environment=there, log=tmp_path / "log") as process:
        assert await asyncio.wait_for(process.wait(), 30) != 0
