"""The memory driver runs jobs in the process that dispatches them, as arvel does."""

from collections.abc import AsyncIterator

import pytest
from arvel.kernel.bootstrap import lifespan
from redis.asyncio import Redis

from app.worker.queue import Queue
from tests.worker.application import create_app
from tests.worker.probes.notes import Note
from tests.worker.workers import until


@pytest.fixture
async def queue(
    database_url: str, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Queue]:
    monkeypatch.setenv("QUEUE_CONNECTION", "memory")
    async with lifespan(create_app()) as application:
        yield application.make("queue")


async def test_every_way_to_dispatch_works(queue: Queue, redis: Redis) -> None:
    assert not queue.on_broker
    await Note.dispatch("a", queue="high")
    await queue.push_instance(Note("a"))
    assert len(await queue.push_many(Note, [(("a",), "bulk"), (("a",), None)])) == 2
    await until(lambda: _ran(redis, 4))
    assert await redis.keys("pillarbox:q*") == []


async def _ran(redis: Redis, times: int) -> bool:
    return await redis.llen("ran:a") == times
