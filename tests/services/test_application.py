"""The fixtures themselves: what one test leaves behind, the next does not see."""

import os
import uuid
from pathlib import Path

import asyncpg
import pytest
from arvel.kernel import Application
from arvel.kernel.bootstrap import lifespan
from redis.asyncio import Redis

from app.items import outcome, unrecorded
from app.models.statements import Statements
from app.settings import RetrySettings
from app.transports.contract import Accepted
from local import Services
from tests.fakes.facts import attempt_of
from tests.fakes.items import Put
from tests.feature.conftest import database
from tests.worker.application import create_app

__all__ = ["database"]


@pytest.mark.parametrize("run", ["first", "second"])
async def test_every_test_begins_with_empty_servers(
    database_url: str, redis_url: str, run: str
) -> None:
    connection = await asyncpg.connect(database_url.replace("+asyncpg", ""))
    async with Redis.from_url(redis_url) as redis:
        assert await redis.incr("runs") == 1
    await connection.execute("INSERT INTO ticks VALUES ($1, now())", run)
    assert await connection.fetchval("SELECT count(*) FROM ticks") == 1
    await connection.close()


async def test_the_application_is_booted_on_the_servers_of_the_test(
    application: Application, database_url: str, redis_url: str, tmp_path: Path
) -> None:
    assert application.booted
    assert application.config("app.env") == "testing"
    assert application.config("database.connections.postgres.url") == database_url
    assert application.config("queue.url") == redis_url
    assert str(application.config("dispatch.storage")).startswith(str(tmp_path))


def test_no_setting_of_the_person_who_runs_the_tests_is_seen() -> None:
    assert "TWILIO_AUTH_TOKEN" not in os.environ
    assert os.environ["PYTHON_DOTENV_DISABLED"] == "1"


async def test_no_test_keeps_its_files_where_somebody_else_does(
    services: Services, tmp_path: Path
) -> None:
    mine = str(tmp_path / "storage")
    assert os.environ["STORAGE_PATH"] == mine
    async with lifespan(create_app()) as booted:
        assert booted.config("dispatch.storage") == mine


async def test_rows_without_an_application_have_no_files_either(
    database: Statements, tmp_path: Path
) -> None:
    item = Put(uuid.uuid7(), uuid.uuid7(), "email")
    unrecorded.keep(outcome.entry_for(attempt_of(item), Accepted("m-1"), RetrySettings()))
    (file,) = unrecorded.waiting()
    assert file.is_relative_to(tmp_path)
