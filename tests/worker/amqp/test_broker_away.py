"""A RabbitMQ that is away costs the caller a second at most, and never an exception."""

import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from arvel.kernel import Application
from redis.asyncio import Redis

from app.worker.amqp.broker import AmqpBroker
from app.worker.known import Known
from app.worker.names import Names
from app.worker.queue import Queue
from app.worker.signing import Signer, configured
from local.rabbitmq import RabbitMQ
from tests.fakes.waiting import patience
from tests.worker import probes
from tests.worker.amqp.cut import Cut, cutting
from tests.worker.inside import working
from tests.worker.lying import is_empty, left
from tests.worker.probes.notes import Note, Slow
from tests.worker.probes.stored import Stored
from tests.worker.test_broker_away import (
    Build,
    address,
    away,
    test_commit_succeeds_although_nothing_can_be_published,
    test_instance_is_kept_in_the_database_instead,
    test_push_returns_within_a_second_and_tells_whose_job_is_missing,
)
from tests.worker.workers import until, worker

__all__ = [
    "address",
    "away",
    "test_commit_succeeds_although_nothing_can_be_published",
    "test_instance_is_kept_in_the_database_instead",
    "test_push_returns_within_a_second_and_tells_whose_job_is_missing",
]


def queue_at(address: str, application: Application) -> Queue:
    url = address.replace("redis://", "amqp://guest:guest@").removesuffix("/0") + "/"
    broker = AmqpBroker(url, Names("pillarbox:"), Signer(["key"]))
    queue = Queue(application, broker, Known(probes))
    queue.allow(Stored)
    return queue


@pytest.fixture
def build() -> Build:
    return queue_at


@asynccontextmanager
async def parted(on: RabbitMQ, application: Application) -> AsyncIterator[tuple[Queue, Cut]]:
    """A queue, and the way to its broker."""
    async with cutting(on.port or 0) as way:
        url = on.url.replace(f":{on.port}/", f":{way.port}/")
        broker = AmqpBroker(url, Names(os.environ["QUEUE_PREFIX"]), configured())
        queue = Queue(application, broker, Known(probes))
        await broker.ping()
        yield queue, way
        await queue.broker.shutdown()


async def test_work_in_progress_when_a_connection_breaks_is_done_once_by_who_does_it(
    booted: Application, redis: Redis, on_rabbitmq: RabbitMQ
) -> None:
    async with parted(on_rabbitmq, booted) as (queue, way):
        await queue.push_many(Slow, [(("a", 2.0), None)] * 3)
        async with working(queue):
            await until(lambda: _are(redis, "a:begun", 3))
            way.cut()
            await until(lambda: _published(queue, "b"))
            await until(lambda: redis.exists("ran:b"))
            await until(lambda: _are(redis, "a:ended", 3))
            await until(lambda: is_empty(queue))
        assert await left(queue) == [0, 0, 0]
    assert await redis.llen("ran:a:begun") == 3


async def test_a_worker_behind_a_parted_network_takes_up_its_work_when_it_is_whole(
    booted: Application, redis: Redis, on_rabbitmq: RabbitMQ
) -> None:
    async with parted(on_rabbitmq, booted) as (queue, way), working(queue):
        assert await _published(queue, "a")
        await until(lambda: redis.exists("ran:a"))
        way.hold()
        started = time.monotonic()
        assert not await _published(queue, "b")
        assert time.monotonic() - started < patience(2)
        way.mend()
        await until(lambda: _published(queue, "c"), seconds=30)
        await until(lambda: redis.exists("ran:c"))


async def test_what_a_parted_worker_holds_is_free_once_the_server_has_missed_its_heartbeats(
    booted: Application, redis: Redis, on_rabbitmq: RabbitMQ
) -> None:
    async with parted(on_rabbitmq, booted) as (queue, way), working(queue):
        await queue.push_many(Slow, [(("a", 5.0), None)])
        await until(lambda: redis.exists("ran:a:begun"))
        way.hold()
        async with worker():
            await until(lambda: _are(redis, "a:begun", 2), seconds=30)


async def _published(queue: Queue, key: str) -> bool:
    return bool(await queue.push_many(Note, [((key,), None)]))


async def _are(redis: Redis, key: str, times: int) -> bool:
    return await redis.llen(f"ran:{key}") == times
