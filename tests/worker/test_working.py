"""A worker runs what lies on its queues, as it is asked to."""

import asyncio

import pytest
from arvel.kernel import app
from redis.asyncio import Redis

from app.worker.options import labels_of
from app.worker.queue import Queue
from app.worker.refused import WorkerRefused
from app.worker.routing import UnknownQueue
from tests.worker.inside import run_until_empty, working
from tests.worker.lying import is_empty, left
from tests.worker.probes.notes import Alone, Crowd, Note, Slow
from tests.worker.probes.stored import Failing, Holding, Released
from tests.worker.workers import until

LABELS = ("high", "default", "bulk")


async def ran(redis: Redis, key: str) -> list[str]:
    return [value.decode() for value in await redis.lrange(f"ran:{key}", 0, -1)]


def set_concurrency(queue: Queue, most: int) -> None:
    queue.app.config().set("queue.concurrency", most)


async def test_plain_worker_consumes_all_queues(queue: Queue, redis: Redis) -> None:
    await queue.push_many(Note, [(("a",), label) for label in LABELS])
    await run_until_empty(queue, ["default"])
    assert len(await ran(redis, "a")) == 3
    assert await left(queue) == [0, 0, 0]


async def test_worker_of_one_queue_leaves_the_others(queue: Queue, redis: Redis) -> None:
    await queue.push_many(Note, [(("a", label), label) for label in LABELS])
    await run_until_empty(queue, ["bulk"])
    assert await ran(redis, "a") == ["bulk"]
    assert await left(queue) == [1, 1, 0]


def test_queue_that_nobody_fills_is_refused() -> None:
    with pytest.raises(UnknownQueue):
        labels_of(["urgent"])


@pytest.mark.parametrize("at_once", [1, 2])
async def test_urgent_jobs_go_first(queue: Queue, redis: Redis, at_once: int) -> None:
    set_concurrency(queue, at_once)
    await queue.push_many(Note, [(("a", label), label) for label in reversed(LABELS)] * 4)
    await run_until_empty(queue)
    assert await ran(redis, "a") == ["high"] * 4 + ["default"] * 4 + ["bulk"] * 4


async def test_never_more_jobs_at_once_than_configured(queue: Queue, redis: Redis) -> None:
    """Field report 16."""
    set_concurrency(queue, 10)
    await queue.push_many(Crowd, [(("a",), LABELS[i % 3]) for i in range(500)])
    ended = asyncio.create_task(run_until_empty(queue))
    await until(lambda: redis.exists("ran:a"))
    most_held = 0
    while not ended.done():
        held = [await redis.xpending(f"pillarbox:queue:{q}", "workers") for q in LABELS]
        most_held = max(most_held, sum(each["pending"] for each in held))
        await asyncio.sleep(0.02)
    at_once = [int(value) for value in await ran(redis, "a")]
    assert len(at_once) == 500
    assert max(at_once) == 10
    assert most_held == 10


async def test_worker_without_room_for_a_job_is_refused(queue: Queue) -> None:
    set_concurrency(queue, 0)
    with pytest.raises(WorkerRefused, match="QUEUE_CONCURRENCY"):
        await run_until_empty(queue)


async def test_job_in_progress_is_given_to_nobody_else(queue: Queue, redis: Redis) -> None:
    """Field reports 1 and 2: longer than every time after which a message counts as abandoned."""
    await queue.push(Slow, ("a", 4.0), {})
    async with working(queue, workers=2):
        await until(lambda: redis.exists("ran:a:ended"))
    assert len(await ran(redis, "a:begun")) == 1


async def test_same_job_five_times_runs_once_at_a_time(queue: Queue, redis: Redis) -> None:
    """Field report 1: what finds its lock taken returns, and leaves nothing behind."""
    await queue.push_many(Alone, [(("a", 1.0), label) for label in (*LABELS, "high", "bulk")])
    async with working(queue, workers=2):
        await until(lambda: is_empty(queue))
    assert len(await ran(redis, "a:begun")) == 1
    assert await app().make("db").select("SELECT id FROM jobs") == []


async def test_max_jobs_leaves_the_rest(queue: Queue, redis: Redis) -> None:
    await queue.push_many(Note, [(("a",), "bulk")] * 10)
    await run_until_empty(queue, max_jobs=3)
    assert len(await ran(redis, "a")) == 3
    assert await left(queue) == [0, 0, 7]


async def test_named_queue_survives_retries_to_the_dead_letter(queue: Queue, redis: Redis) -> None:
    await queue.push(Failing, ("a",), {}, queue="bulk")
    # It knows of its own retries without looking for them.
    async with working(queue, pace={"release": 60.0}):
        await until(lambda: app().make("db").select("SELECT id FROM failed_jobs"))
    assert len(await ran(redis, "a")) == 2
    letters = await app().make("db").select("SELECT queue FROM failed_jobs")
    assert [letter["queue"] for letter in letters] == ["bulk"]


async def test_named_queue_survives_a_release(queue: Queue, redis: Redis) -> None:
    await queue.push(Released, ("a",), {}, queue="high")
    async with working(queue, labels=["high"]):
        await until(lambda: redis.lindex("ran:a", 1))
    assert await left(queue) == [0, 0, 0]


async def test_message_lives_until_what_its_job_holds_has_ended(queue: Queue, redis: Redis) -> None:
    await queue.push(Holding, ("a", 4.0), {})
    async with working(queue, workers=2):
        await until(lambda: redis.exists("ran:a:failed"))
        assert not await redis.exists("ran:a:ended")
        await until(lambda: redis.exists("ran:a:ended"))
        await until(lambda: is_empty(queue))
    assert len(await ran(redis, "a:begun")) == 1
