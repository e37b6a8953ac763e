"""PgBouncer between Pillarbox and PostgreSQL, as `deploy/pgbouncer` sets it up."""

import os
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import asyncpg
import pytest

from app.models import statements
from app.models.connections import SERVER_SETTINGS
from app.models.statements import Statements
from local import Services, folders, programs
from local.given import Given
from tests.deploy.pooler import SETTINGS, can_prepare, pooled
from tests.fakes.command_line import type_in
from tests.fakes.processes import arvel, compose
from tests.fakes.waiting import until
from tests.feature.conftest import database

__all__ = ["database"]

EMAILS = 20
KNOWN = ("APP_ENV", "APP_KEY", "REDIS_URL", "STORAGE_PATH")
SET = re.compile(r"^ALTER ROLE pillarbox SET (\w+) = '(.+)';$", re.MULTILINE)


@pytest.fixture
async def settings(services: Services) -> AsyncIterator[None]:
    """The role as `settings.sql` leaves it; as it was before, afterwards."""
    if isinstance(services.postgres, Given):
        pytest.skip("this PostgreSQL is somebody else's: its roles are not ours to change")
    await execute(services.postgres.admin_url, SETTINGS.read_text())
    yield
    await execute(services.postgres.admin_url, "ALTER ROLE pillarbox RESET ALL")


async def execute(url: str, sql: str) -> None:
    connection = await asyncpg.connect(url)
    await connection.execute(sql)
    await connection.close()


@pytest.fixture(params=["session", "transaction"])
def url(request: pytest.FixtureRequest, services: Services, settings: None) -> Iterator[str]:
    try:
        programs.pgbouncer()
    except programs.NotInstalled as missing:
        pytest.skip(str(missing))
    if request.param == "transaction" and not can_prepare():
        pytest.skip("this pgbouncer is older than 1.21: it can't share prepared statements")
    with folders.passing() as folder, pooled(services, folder, request.param) as url:
        yield url


def test_the_settings_of_the_role_are_those_of_our_connections() -> None:
    said = dict(SET.findall(SETTINGS.read_text()))
    assert {**said, "application_name": "pillarbox"} == SERVER_SETTINGS


async def test_messages_are_queued_and_sent_through_it(
    url: str, database: Statements, redis_url: str, tmp_path: Path
) -> None:
    environment = {"DATABASE_URL": url, "SANDBOX_REPORT_DELAY": "0"}
    async with arvel("dispatch:work", environment=environment, log=tmp_path / "log"):
        await compose(environment, emails=EMAILS)

        async def all_sent() -> bool:
            (row,) = await statements.run(
                "SELECT count(*) FROM queue_items WHERE state IN ('awaiting', 'succeeded')"
            )
            return row["count"] == EMAILS

        await until(all_sent, seconds=60)
        known = {name: os.environ[name] for name in KNOWN}
        said = await type_in("dispatch:doctor", environment={**known, **environment})
    assert "pooler" not in said.out
    assert "0 wrong" in said.out
