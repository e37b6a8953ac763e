"""What the doctor says when hardly anything answers: the time in which it is needed."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Iterator

import asyncpg
import pytest

from app.doctor import Verdict
from app.doctor.limits import LIMIT
from local import Services
from local.given import Given
from local.ports import HOST, free_port
from tests.fakes.waiting import patience
from tests.feature.doctor.conftest import Examine

WRONG = Verdict.WRONG


@contextlib.asynccontextmanager
async def silent() -> AsyncIterator[int]:
    """The port of a server that takes connections and never says a word."""
    over = asyncio.Event()

    async def listen(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await over.wait()
        writer.close()

    server = await asyncio.start_server(listen, HOST, 0)
    yield server.sockets[0].getsockname()[1]
    over.set()
    server.close()


@pytest.fixture
def stoppable(services: Services) -> Iterator[Services]:
    """Servers that are started again however the test ends."""
    if isinstance(services.postgres, Given) or isinstance(services.valkey, Given):
        pytest.skip("these servers are somebody else's")
    yield services
    for server in (services.postgres, services.valkey):
        if not server.is_running():
            server.start()


async def test_a_stopped_database_is_named_and_the_rest_is_looked_at(
    examine: Examine, stoppable: Services
) -> None:
    stoppable.postgres.stop()
    found = await examine()
    assert found.verdict("postgresql") is WRONG
    assert "nothing listens there" in found["postgresql"].text
    assert found.verdict("redis") is Verdict.OK
    assert "items waiting" not in found.checks


async def test_a_stopped_broker_is_named_and_the_rest_is_looked_at(
    examine: Examine, stoppable: Services
) -> None:
    stoppable.valkey.stop()
    found = await examine()
    assert found.verdict("redis") is WRONG
    assert "nothing listens there" in found["redis"].text
    assert found.verdict("postgresql") is Verdict.OK
    assert "queues" not in found.checks


async def test_servers_that_take_connections_and_say_nothing_cost_two_seconds(
    examine: Examine,
) -> None:
    async with silent() as port:
        started = time.monotonic()
        found = await examine(
            DATABASE_URL=f"postgresql://u:p@{HOST}:{port}/x", REDIS_URL=f"redis://{HOST}:{port}/0"
        )
        passed = time.monotonic() - started
    assert found.verdict("postgresql") is WRONG
    assert found.verdict("redis") is WRONG
    assert "answer within 2 s" in found["postgresql"].text
    assert "answer within 2 s" in found["redis"].text
    assert passed < patience(2 * LIMIT)


@contextlib.asynccontextmanager
async def something_else() -> AsyncIterator[int]:
    """The port of a server that speaks neither protocol."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b"canary canary\r\n")
        writer.close()

    server = await asyncio.start_server(answer, HOST, 0)
    yield server.sockets[0].getsockname()[1]
    server.close()


async def test_a_server_that_is_something_else_is_named_without_its_words(
    examine: Examine,
) -> None:
    async with something_else() as port:
        found = await examine(
            DATABASE_URL=f"postgresql://u:p@{HOST}:{port}/x", REDIS_URL=f"redis://{HOST}:{port}/0"
        )
    assert found.verdict("postgresql") is WRONG
    assert found.verdict("redis") is WRONG
    assert "canary" not in found.text


async def test_a_table_that_somebody_holds_ends_the_look_in_two_seconds(
    examine: Examine, database_url: str
) -> None:
    holder = await asyncpg.connect(database_url.replace("+asyncpg", ""))
    async with holder.transaction():
        await holder.execute("LOCK TABLE queue_items IN ACCESS EXCLUSIVE MODE")
        started = time.monotonic()
        found = await examine()
        passed = time.monotonic() - started
    await holder.close()
    assert [f.verdict for f in found.findings if f.check == "postgresql"] == ["ok", "wrong"]
    assert "did not answer within 2 s" in found.text
    assert passed < patience(2 * LIMIT)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("pillarbox:", "pillarbox:canary"), "refuses our user or password"),
        (("/pillarbox", "/canary"), "has no database of this name"),
    ],
)
async def test_what_the_database_refuses_is_said_without_a_secret(
    examine: Examine, services: Services, change: tuple[str, str], words: str
) -> None:
    if isinstance(services.postgres, Given):
        pytest.skip("its address has another form")
    found = await examine(DATABASE_URL=change[1].join(services.database_url.rsplit(change[0], 1)))
    assert words in found["postgresql"].text
    assert "canary" not in found.text


async def test_what_the_broker_refuses_is_said_without_a_secret(
    examine: Examine, services: Services
) -> None:
    if isinstance(services.valkey, Given):
        pytest.skip("it may need no password")
    address = services.redis_url.rpartition("@")[2]
    found = await examine(REDIS_URL=f"redis://:canary@{address}")
    assert "refuses our user or password" in found["redis"].text
    assert "canary" not in found.text


async def test_a_host_that_nobody_knows_is_said_without_its_name(examine: Examine) -> None:
    found = await examine(
        DATABASE_URL="postgresql://u:canary@canary.invalid/x",
        REDIS_URL=f"redis://:canary@{HOST}:{free_port()}/0",
    )
    assert found.verdict("postgresql") is WRONG
    assert found.verdict("redis") is WRONG
    assert "canary" not in found.text
