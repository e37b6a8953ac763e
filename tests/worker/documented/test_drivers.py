"""Over what jobs travel."""

from collections.abc import AsyncIterator

import pytest
from arvel.kernel import Application, app
from arvel.kernel.bootstrap import lifespan
from arvel.queue import Bus
from taskiq import InMemoryBroker

from app.worker.known import Known
from app.worker.queue import Queue
from tests.worker import probes
from tests.worker.documented.application import create_app
from tests.worker.documented.jobs import Report, gave_up
from tests.worker.documented.seen import queued, said, waiting
from tests.worker.workers import until


@pytest.fixture
async def in_memory(
    database_url: str, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Application]:
    monkeypatch.setenv("QUEUE_CONNECTION", "memory")
    async with lifespan(create_app()) as application:
        yield application


async def has_run(key: str, times: int = 1) -> bool:
    return len(await said(key)) >= times


async def test_memory_driver_runs_jobs_in_the_process_that_dispatches_them(
    in_memory: Application,
) -> None:
    await Report.dispatch("a")
    await Bus.chain([Report("a"), Report("a")]).catch(gave_up).dispatch()
    await until(lambda: has_run("a", 3))
    assert await queued() == {}


async def test_memory_driver_keeps_delayed_jobs_in_the_database(in_memory: Application) -> None:
    await Report.dispatch_after(60, "a")
    assert len(await waiting()) == 1


async def test_redis_driver_takes_them_to_workers(queue: Queue) -> None:
    assert queue.on_broker
    await Report.dispatch("a")
    assert await queued() == {"default": 1}


async def test_driver_that_does_not_exist_is_named(booted: Application) -> None:
    booted.config().set("queue.default", "carrier-pigeon")
    queue = Queue(booted)
    with pytest.raises(ValueError, match="carrier-pigeon"):
        _ = queue.broker


async def test_broker_may_be_given(booted: Application) -> None:
    broker = InMemoryBroker()
    queue = Queue(booted, broker, Known(probes))
    assert queue.broker is broker
    await queue.push(Report, ("a",), {})
    await until(lambda: has_run("a"))
    assert app().make("queue") is not queue
