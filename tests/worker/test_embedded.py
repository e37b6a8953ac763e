"""The worker in the web process: it begins when it is served, and ends before resources close."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest
from arvel.kernel import Application
from arvel.kernel.bootstrap import bootstrap_app, safe_terminate
from redis.asyncio import Redis

from app.models import statements
from app.models.connections import Connections
from app.worker.embedded import EmbeddedWorker
from app.worker.queue import Queue
from app.worker.refused import WorkerRefused
from tests.worker.application import create_app
from tests.worker.probes.notes import Note, Slow
from tests.worker.workers import until


@asynccontextmanager
async def served() -> AsyncIterator[Application]:
    """The application as a server runs it: built first, then started and stopped."""
    application = create_app()
    application.as_asgi()
    await application.boot()
    application.make("queue").ticks = []
    try:
        yield application
    finally:
        await application.terminate()


@pytest.fixture
def wanted(monkeypatch: pytest.MonkeyPatch, database_url: str, redis_url: str) -> None:
    monkeypatch.setenv("EMBEDDED_WORKER", "true")


@pytest.mark.usefixtures("wanted")
async def test_served_application_works_on_its_queue(redis: Redis) -> None:
    async with served():
        await Note.dispatch("a")
        await until(lambda: redis.exists("ran:a"))


@pytest.mark.usefixtures("wanted")
async def test_what_it_began_ends_before_the_database_closes(
    redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended_before: list[bool] = []

    async def dispose(db: Connections) -> None:
        ended_before.append(bool(await redis.exists("ran:a:ended")))

    monkeypatch.setattr(Connections, "dispose", dispose)
    async with served():
        await Slow.dispatch("a", 1.0)
        await until(lambda: redis.exists("ran:a:begun"))
    assert ended_before == [True]
    assert await redis.xlen("pillarbox:queue:default") == 0


@pytest.fixture
def handled() -> Iterator[list[int]]:
    """The SIGTERMs that the server has handled."""
    seen: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, _frame: seen.append(number))
    yield seen
    signal.signal(signal.SIGTERM, before)


@pytest.mark.usefixtures("wanted")
async def test_signal_is_the_server_s_and_the_worker_takes_nothing_more(
    handled: list[int], redis: Redis
) -> None:
    theirs = signal.getsignal(signal.SIGTERM)
    async with served():
        await Slow.dispatch("a", 1.0)
        await until(lambda: redis.exists("ran:a:begun"))
        signal.raise_signal(signal.SIGTERM)
        assert handled == [signal.SIGTERM]
        await asyncio.sleep(0.2)
        await Note.dispatch("late")
        await until(lambda: redis.exists("ran:a:ended"))
        await asyncio.sleep(0.3)
        assert not await redis.exists("ran:late")
    assert signal.getsignal(signal.SIGTERM) is theirs


@pytest.mark.usefixtures("wanted")
async def test_handler_that_a_server_installs_later_stays(handled: list[int]) -> None:
    def later(*_: object) -> None:
        """What the server does then."""

    async with served():
        signal.signal(signal.SIGTERM, later)
    assert signal.getsignal(signal.SIGTERM) is later


@pytest.mark.usefixtures("wanted")
async def test_handler_of_an_event_loop_is_called_as_well() -> None:
    heard = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, heard.set)
    try:
        async with served():
            signal.raise_signal(signal.SIGTERM)
            await asyncio.wait_for(heard.wait(), 2)
    finally:
        loop.remove_signal_handler(signal.SIGTERM)


@pytest.mark.usefixtures("wanted")
async def test_signal_that_nobody_handles_is_left_alone() -> None:
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    async with served():
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


@pytest.mark.usefixtures("wanted")
async def test_several_processes_of_one_name_get_names_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("WORKER_ID", "web-1")
    async with served():

        async def named() -> bool:
            rows = await statements.run("SELECT id FROM workers")
            return [row["id"] for row in rows] == [f"web-1-{os.getpid()}"]

        await until(named)


@pytest.mark.usefixtures("wanted")
async def test_command_starts_no_worker(redis: Redis) -> None:
    application = create_app()
    bootstrap_app(application)
    await application.boot()
    await Note.dispatch("a")
    await asyncio.sleep(0.5)
    await safe_terminate(application)
    assert await redis.xlen("pillarbox:queue:default") == 1


async def test_server_starts_none_unless_it_is_wanted(redis: Redis, database_url: str) -> None:
    async with served():
        await Note.dispatch("a")
        await asyncio.sleep(0.5)
    assert await redis.xlen("pillarbox:queue:default") == 1


async def test_it_may_be_started_and_stopped_by_hand(queue: Queue, redis: Redis) -> None:
    queue.ticks = []
    worker = EmbeddedWorker(queue.app)
    for key in ("a", "b"):
        await worker.start()
        await worker.start()
        await Note.dispatch(key)
        await until(lambda key=key: redis.exists(f"ran:{key}"))
        await worker.stop()
        await worker.stop()
    await Note.dispatch("c")
    await asyncio.sleep(0.3)
    assert not await redis.exists("ran:c")


@pytest.mark.usefixtures("wanted")
@pytest.mark.parametrize(
    ("setting", "value"), [("CACHE_STORE", "array"), ("QUEUE_CONNECTION", "memory")]
)
async def test_boot_fails_where_a_worker_would_lose_work(
    monkeypatch: pytest.MonkeyPatch, setting: str, value: str
) -> None:
    monkeypatch.setenv(setting, value)
    with pytest.raises(WorkerRefused, match=f"{setting} is '{value}'"):
        async with served():
            pass
