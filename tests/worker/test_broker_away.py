"""A broker that is away costs the caller a second at most, and never an exception."""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from typing import Any

import pytest
from arvel.kernel import Application, app
from arvel.queue import Job
from redis.asyncio import Redis

from app.worker.broker import StreamBroker
from app.worker.known import Known
from app.worker.names import Names
from app.worker.queue import Queue
from app.worker.signing import Signer
from tests.fakes.waiting import patience
from tests.worker import probes, sockets
from tests.worker.probes.notes import Note, Once
from tests.worker.probes.stored import Stored

type Build = Callable[[str, Application], Queue]
type Told = list[tuple[type[Job], list[tuple[Any, ...]]]]


@pytest.fixture(params=["refusing", "silent", "resetting"])
async def address(request: pytest.FixtureRequest) -> AsyncIterator[str]:
    async with AsyncExitStack() as stack:
        match request.param:
            case "refusing":
                yield sockets.free_address()
            case "silent":
                yield await stack.enter_async_context(sockets.silent())
            case _:
                yield await stack.enter_async_context(sockets.resetting())


def queue_at(address: str, application: Application | None = None) -> Queue:
    broker = StreamBroker(address, Names("pillarbox:"), Signer(["key"]))
    queue = Queue(application, broker, Known(probes))
    queue.allow(Stored)
    return queue


@pytest.fixture
def build() -> Build:
    return queue_at


@pytest.fixture
async def away(
    address: str, booted: Application, build: Build
) -> AsyncIterator[tuple[Queue, Told]]:
    """A queue whose broker is away, and what its hook was told."""
    told: Told = []

    async def note(job_cls: type[Job], args: list[tuple[Any, ...]]) -> None:
        told.append((job_cls, args))

    queue = build(address, booted)
    queue.on_publish_failed = note
    yield queue, told
    await queue.broker.shutdown()


async def test_push_returns_within_a_second_and_tells_whose_job_is_missing(
    away: tuple[Queue, Told],
) -> None:
    queue, told = away
    started = time.monotonic()
    assert await queue.push(Note, ("a",), {}, after_commit=False) is None
    assert time.monotonic() - started < patience(2)
    assert told == [(Note, [("a",)])]


async def test_next_pushes_fail_at_once_while_the_broker_rests(away: tuple[Queue, Told]) -> None:
    queue, told = away
    await queue.push(Note, ("a",), {})
    started = time.monotonic()
    for _ in range(20):
        assert await queue.push_many(Note, [(("b",), "high"), (("c",), "bulk")]) == []
    assert time.monotonic() - started < patience(0.9)
    assert told[1:] == [(Note, [("b",), ("c",)])] * 20


async def test_commit_succeeds_although_nothing_can_be_published(
    away: tuple[Queue, Told],
) -> None:
    queue, told = away
    async with app().make("db").transaction():
        await queue.push_many(Note, [(("a",), None)])
        await queue.push(Note, ("b",), {}, after_commit=True)
        assert told == []
    assert told == [(Note, [("a",), ("b",)])]


async def test_hook_that_raises_is_no_affair_of_the_caller(away: tuple[Queue, Told]) -> None:
    async def fail(*_: object) -> None:
        raise RuntimeError

    queue, _ = away
    queue.on_publish_failed = fail
    assert await queue.push(Note, ("a",), {}) is None


async def test_instance_is_kept_in_the_database_instead(away: tuple[Queue, Told]) -> None:
    queue, told = away
    assert await queue.push_instance(Stored("a")) is None
    rows = await app().make("db").select("SELECT queue, payload FROM jobs")
    assert [row["queue"] for row in rows] == ["default"]
    assert told == []


async def test_unique_job_gives_its_lock_back(away: tuple[Queue, Told], redis: Redis) -> None:
    queue, told = away
    async with app().make("db").transaction():
        await queue.push(Once, ("a",), {}, after_commit=True)
    assert told == [(Once, [("a",)])]
    assert await redis.keys("unique_job:*") == []


async def test_single_caller_tries_again_after_the_rest(
    booted: Application, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with sockets.silent() as address:
        queue = queue_at(address, booted)
        await queue.push(Note, ("a",), {})
    queue.broker.url = redis_url
    await queue.broker.shutdown()
    assert await queue.push(Note, ("b",), {}) is None
    later = time.monotonic() + 6
    monkeypatch.setattr(time, "monotonic", lambda: later)
    assert await queue.push(Note, ("c",), {}) is not None
    assert await queue.push(Note, ("d",), {}) is not None
    async with Redis.from_url(redis_url) as redis:
        assert await redis.xlen("pillarbox:queue:default") == 2
    await queue.broker.shutdown()
