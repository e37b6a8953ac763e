"""The fixtures themselves: what one test leaves behind, the next does not see."""

import os
from pathlib import Path

import asyncpg
import pytest
from arvel.kernel import Application
from redis.asyncio import Redis


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
