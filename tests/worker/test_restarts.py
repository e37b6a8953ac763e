"""A worker outlives the absence of its servers."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from arvel.kernel import app
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from app.worker.connection import AWAY
from app.worker.queue import Queue
from local import Services
from tests.worker.inside import working
from tests.worker.lying import is_empty
from tests.worker.probes.notes import Note, Quiet, Slow
from tests.worker.probes.stored import Stored
from tests.worker.workers import until

LABELS = ("high", "default", "bulk")


@dataclass(frozen=True)
class Server:
    stop: Callable[[], None]
    start: Callable[[], None]


@pytest.fixture
def redis(services: Services, redis_url: str) -> Redis:
    """Connects anew whenever the server was away."""
    return Redis.from_url(redis_url, retry=Retry(NoBackoff(), 3))


@pytest.fixture
def server(services: Services) -> Server:
    """The broker's."""
    return Server(stop=services.valkey.kill, start=services.valkey.start)


async def has_run(redis: Redis, key: str, times: int = 1) -> bool:
    return await redis.llen(f"ran:{key}") >= times


async def published(queue: Queue, key: str, label: str = "default") -> bool:
    return bool(await queue.push_many(Note, [((key,), label)]))


async def test_worker_outlives_a_restart_of_the_broker(
    queue: Queue, redis: Redis, server: Server
) -> None:
    async with working(queue):
        await until(lambda: published(queue, "a"))
        await until(lambda: has_run(redis, "a"))
        server.stop()
        await asyncio.sleep(2)
        server.start()
        await until(lambda: published(queue, "b"))
        await until(lambda: has_run(redis, "b"))


async def test_worker_outlives_a_broker_that_comes_back_empty(
    queue: Queue, redis: Redis, services: Services
) -> None:
    async with working(queue):
        await queue.push(Slow, ("a", 3.0), {})
        await until(lambda: has_run(redis, "a:begun"))
        services.valkey.kill()
        services.valkey.forget()
        services.valkey.start()
        await until(lambda: has_run(redis, "a:ended"))
        for label in LABELS:
            await until(lambda label=label: published(queue, label, label))
            await until(lambda label=label: has_run(redis, label))
    assert [await redis.xlen(f"pillarbox:queue:{label}") for label in LABELS] == [0, 0, 0]


async def test_work_that_ended_while_the_broker_was_away_is_not_repeated(
    queue: Queue, redis: Redis, server: Server
) -> None:
    await queue.push(Quiet, ("a", 1.0), {})
    async with working(queue):
        await until(lambda: has_run(redis, "a"))
        server.stop()
        await asyncio.sleep(2)
        server.start()
        await until(lambda: _answers_and_is_empty(queue))
    assert await redis.llen("ran:a") == 1


async def _answers_and_is_empty(queue: Queue) -> bool:
    try:
        return await is_empty(queue)
    except AWAY:
        return False


async def test_worker_goes_on_when_its_streams_are_deleted(queue: Queue, redis: Redis) -> None:
    """Field report 5: what was deleted is gone from the broker, and comes back by the sweep."""
    async with working(queue):
        await until(lambda: published(queue, "a"))
        await until(lambda: has_run(redis, "a"))
        await redis.delete(*(f"pillarbox:queue:{label}" for label in LABELS))
        for label in LABELS:
            await published(queue, "b", label)
        await until(lambda: has_run(redis, "b", 3))


async def test_worker_waits_for_a_broker_that_is_not_there_yet(
    queue: Queue, redis: Redis, server: Server
) -> None:
    server.stop()
    async with working(queue):
        await asyncio.sleep(4)
        server.start()
        await until(lambda: published(queue, "a"))
        await until(lambda: has_run(redis, "a"))


async def test_worker_outlives_a_restart_of_the_database(
    queue: Queue, redis: Redis, services: Services
) -> None:
    async with working(queue):
        await until(lambda: published(queue, "a"))
        await until(lambda: has_run(redis, "a"))
        services.postgres.kill()
        await published(queue, "b")
        await until(lambda: has_run(redis, "b"))
        services.postgres.start()
        await until(_stored)
        await until(lambda: has_run(redis, "c"))


async def _stored() -> bool:
    try:
        return bool(await app().make("queue").dispatch_after(0, Stored("c"), queue="bulk"))
    except Exception:
        return False
