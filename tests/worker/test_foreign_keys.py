"""Somebody else's key under the name of a queue stops that queue, and no other."""

from typing import Any

import pytest
from redis.asyncio import Redis

from app.worker.queue import Queue
from tests.worker.inside import working
from tests.worker.probes.notes import Note
from tests.worker.workers import until

FOREIGN = "pillarbox:queue:high"


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any]]:
    """What the worker says of queues that it can't read."""
    lines: list[tuple[str, Any]] = []

    class Log:
        def error(self, action: str, **facts: Any) -> None:
            lines.append((action, facts.get("key")))

        def info(self, action: str, **facts: Any) -> None:
            lines.append((action, facts.get("queue")))

    monkeypatch.setattr("app.worker.streams.log", Log)
    return lines


async def has_run(redis: Redis, key: str, times: int = 1) -> bool:
    return await redis.llen(f"ran:{key}") >= times


async def publish(queue: Queue, key: str, label: str) -> bool:
    return bool(await queue.push_many(Note, [((key,), label)]))


async def test_other_queues_are_read_and_this_one_once_the_key_is_gone(
    queue: Queue, redis: Redis, said: list[tuple[str, Any]]
) -> None:
    await redis.set(FOREIGN, "not ours")
    async with working(queue):
        assert await publish(queue, "a", "default")
        assert await publish(queue, "a", "bulk")
        await until(lambda: has_run(redis, "a", 2))
        assert said == [("queue_unreadable", FOREIGN)]
        await redis.delete(FOREIGN)
        assert await publish(queue, "b", "high")
        await until(lambda: has_run(redis, "b"))
    assert said[1:] == [("queue_readable_again", "high")]


async def test_a_key_that_is_replaced_while_a_worker_runs_stops_its_queue_alone(
    queue: Queue, redis: Redis, said: list[tuple[str, Any]]
) -> None:
    async with working(queue):
        await publish(queue, "a", "high")
        await until(lambda: has_run(redis, "a"))
        await redis.set(FOREIGN, "not ours")
        assert await publish(queue, "b", "default")
        await until(lambda: has_run(redis, "b"))
    assert [action for action, _ in said] == ["queue_unreadable"]


async def test_jobs_of_other_queues_are_published_beside_those_that_can_not_be(
    queue: Queue, redis: Redis
) -> None:
    missing: list[Any] = []

    async def note_missing(_: object, args: list[Any]) -> None:
        missing.extend(args)

    queue.on_publish_failed = note_missing
    await redis.set(FOREIGN, "not ours")
    jobs = [((label,), label) for label in ("high", "default", "bulk")]
    assert await queue.push_many(Note, jobs) == []
    assert [args[0] for args in missing] == ["high"]
    assert await redis.xlen("pillarbox:queue:default") == 1
    # Nobody else has to wait for it.
    assert await publish(queue, "a", "bulk")


async def test_the_sweep_goes_on_with_the_other_queues(queue: Queue, redis: Redis) -> None:
    await redis.set(FOREIGN, "not ours")
    assert await queue.broker.oldest() == {"default": None, "bulk": None}
