"""The database fails over to another server, or the network parts it from a worker."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlsplit

import asyncpg
import pytest
from sqlalchemy.exc import DBAPIError

from app.jobs import faults
from app.jobs.send_message import SendMessage
from app.models import statements
from app.models.statements import Statements
from app.transports import channels
from app.transports.contract import Accepted, Go, Outcome
from tests.fakes.items import history_of, letters_of, put_item, see, state_of
from tests.fakes.network import Link, link_to
from tests.fakes.transports import Message, Scripted, scripted_channels
from tests.fakes.waiting import patience, until

READ_ONLY = """
DO $$ BEGIN EXECUTE format('ALTER DATABASE %I {} default_transaction_read_only {}',
    current_database()); END $$
"""
DISCONNECT = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


class Servers:
    """A primary that can become a replica, and be promoted again, as its clients see it."""

    def __init__(self, url: str) -> None:
        self._url = url

    async def demote(self) -> None:
        await self._run(READ_ONLY.format("SET", "= on"), DISCONNECT)

    async def promote(self) -> None:
        """Who is connected stays so: to what is a replica for him."""
        await self._run("SET default_transaction_read_only = off", READ_ONLY.format("RESET", ""))

    async def _run(self, *sql: str) -> None:
        connection = await asyncpg.connect(self._url)
        try:
            for statement in sql:
                await connection.execute(statement)
        finally:
            await connection.close()


@pytest.fixture
def dsn(database_url: str) -> str:
    return database_url.replace("+asyncpg", "")


@pytest.fixture
async def servers(dsn: str) -> AsyncIterator[Servers]:
    servers = Servers(dsn)
    yield servers
    await servers.promote()


@pytest.fixture
async def link(application: Any, dsn: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Link]:
    """The way of the application's statements to PostgreSQL; they wait a second, not fifteen."""
    monkeypatch.setattr(statements, "ANSWER", 1.0)
    monkeypatch.setattr(statements, "CONNECT", 1.0)
    there = urlsplit(dsn)
    async with link_to(there.hostname or "", there.port or 5432) as link:
        user, _, _ = there.netloc.rpartition("@")
        through = there._replace(netloc=f"{user}@127.0.0.1:{link.port}").geturl()
        pool = Statements(through, 5)
        monkeypatch.setattr(statements, "_current", [pool])
        yield link
        link.mend()
        await pool.close()


@pytest.fixture
async def transport(application: Any) -> Scripted:
    scripted = Scripted()
    channels.use(scripted_channels(scripted))
    return scripted


async def run(application: Any, item: Any) -> None:
    await application.make("queue")._worker._invoke(SendMessage(str(item.id)))


async def test_an_outcome_outlives_the_failover_of_the_database(
    application: Any, transport: Scripted, servers: Servers
) -> None:
    """Accepted while there is nothing but a replica; the connections to it stay open."""
    item = await put_item("queued", attempts=0)

    async def fail_over(message: Message, go: Go) -> Outcome:
        go()
        await servers.demote()
        return Accepted(f"message of {message.attempt_id}")

    transport.behaviour = fail_over
    sending = asyncio.create_task(run(application, item))
    await until(_refuses_changes)
    assert await state_of(item.id) == "sending"
    await servers.promote()
    await asyncio.wait_for(sending, patience(20))
    assert await history_of(item.id) == [
        ("send", "queued", "sending"),
        ("await", "sending", "awaiting"),
    ]
    assert len(transport.sent) == 1


async def _refuses_changes() -> bool:
    try:
        await statements.run("DELETE FROM ticks")
    except asyncpg.ReadOnlySQLTransactionError:
        return True
    return False


async def test_models_follow_the_database_to_its_new_primary(
    application: Any, servers: Servers
) -> None:
    database = application.make("db")
    await servers.demote()
    for _ in range(2):  # the first may only find that its connection was ended
        with pytest.raises(DBAPIError):
            await database.statement("DELETE FROM ticks")
    await servers.promote()
    await database.statement("DELETE FROM ticks")


async def test_what_a_provider_said_behind_a_parted_network_is_recorded_once_it_is_whole(
    application: Any, transport: Scripted, link: Link
) -> None:
    """The host reaches the provider, and the database no more."""
    item = await put_item("queued", attempts=0)
    answered = asyncio.Event()

    async def part(message: Message, go: Go) -> Outcome:
        go()
        link.part()
        answered.set()
        return Accepted(f"message of {message.attempt_id}")

    transport.behaviour = part
    sending = asyncio.create_task(run(application, item))
    await answered.wait()
    # Longer than a statement waits for an answer.
    assert not (await asyncio.wait((sending,), timeout=2.5))[0]
    link.mend()
    await asyncio.wait_for(sending, patience(20))
    (sent,) = transport.sent
    row = await see(item.id)
    assert (row["state"], row["attempts"]) == ("awaiting", 1)
    assert row["message_id"] == f"message of {sent.attempt_id}"


async def test_a_message_whose_way_to_the_database_is_parted_before_it_goes_waits_for_its_turn(
    application: Any, transport: Scripted, link: Link, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing was sent, and nobody is to blame: it costs no retry and leaves no dead letter."""
    parted = asyncio.Event()

    async def part(point: str) -> None:
        if point == "after_claim":
            link.part()
            parted.set()

    monkeypatch.setattr(faults, "_hooks", [part])
    # Its channel is changed to the sandbox before it goes, for which the database is needed.
    item = await put_item("queued", attempts=0, channel="smtp")
    sending = asyncio.create_task(run(application, item))
    await parted.wait()
    await asyncio.wait((sending,), timeout=2.5)
    link.mend()
    await asyncio.wait_for(sending, patience(20))
    row = await see(item.id)
    assert (row["state"], row["retries"], row["not_sent"]) == ("delayed", 0, 1)
    assert transport.sent == []
    assert await letters_of(item.id) == 0
