"""Delayed and released jobs come back, from every queue, when the broker takes them."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest
from arvel.kernel import app
from redis.asyncio import Redis

from app.models.queries import released
from app.worker.queue import Queue
from local import Services
from tests.worker.probes.stored import Failing, Released, Stored

LABELS = ("high", "default", "bulk")


async def rows() -> Sequence[Any]:
    return await app().make("db").select("SELECT queue, reserved_at FROM jobs ORDER BY id")


async def left(redis: Redis) -> list[int]:
    return [await redis.xlen(f"pillarbox:queue:{label}") for label in LABELS]


async def test_due_jobs_of_all_queues_are_handed_over(queue: Queue, redis: Redis) -> None:
    for label in LABELS:
        await queue.dispatch_after(0, Stored("a"), queue=label)
    await queue.dispatch_after(60, Stored("a"))
    assert await queue.release_due_jobs(queues=["high"]) == 3
    assert await left(redis) == [1, 1, 1]
    assert len(await rows()) == 1


async def test_row_of_a_queue_that_is_no_more_goes_to_the_default_one(
    queue: Queue, redis: Redis
) -> None:
    await queue.dispatch_after(0, Stored("a"))
    await app().make("db").statement("UPDATE jobs SET queue = 'former'")
    assert await queue.release_due_jobs() == 1
    assert await left(redis) == [0, 1, 0]


async def test_job_is_not_early(queue: Queue) -> None:
    await queue.dispatch_after(0.4, Stored("a"))
    due, wait = await released.take_due(10, 90)
    assert due == []
    assert wait is not None
    assert 0.3 < wait <= 1.4


async def test_two_workers_share_what_is_due(queue: Queue, redis: Redis) -> None:
    for _ in range(50):
        await queue.dispatch_after(0, Stored("a"))
    taken = await asyncio.gather(*(released.take_due(20, 90) for _ in range(4)))
    ids = [row.id for due, _ in taken for row in due]
    assert len(ids) == len(set(ids)) == 50


async def test_job_of_a_worker_that_died_between_is_taken_again(queue: Queue) -> None:
    await queue.dispatch_after(0, Stored("a"))
    assert len((await released.take_due(10, 90))[0]) == 1
    assert (await released.take_due(10, 90))[0] == []
    await app().make("db").statement("UPDATE jobs SET reserved_until = reserved_until - 100")
    assert len((await released.take_due(10, 90))[0]) == 1


async def test_job_is_given_back_while_the_broker_is_away(queue: Queue, services: Services) -> None:
    await queue.dispatch_after(0, Stored("a"), queue="bulk")
    services.valkey.kill()
    await queue.release_due_jobs()
    ((label, reserved),) = [(row["queue"], row["reserved_at"]) for row in await rows()]
    assert (label, reserved) == ("bulk", None)


@pytest.mark.parametrize("state", [{"key": "a", "__arvel_chain_catch__": "os:abort"}, {"key": 5}])
async def test_row_that_must_not_run_goes_to_quarantine_in_the_end(
    queue: Queue, redis: Redis, state: dict[str, Any]
) -> None:
    payload = json.dumps({"job": "app.probes:Stored", "state": state})
    await released.store("high", payload, 0, 0)
    await released.store("high", json.dumps({"job": "app.probes:Other", "state": {}}), 0, 0)
    await app().make("db").statement("UPDATE jobs SET available_at = available_at - 3601")
    assert await queue.release_due_jobs() == 0
    assert await left(redis) == [0, 0, 0]
    assert await rows() == []
    assert await redis.xlen("pillarbox:quarantine") == 2
    assert queue.quarantine.counts.total() == 2


def test_probes_stand_where_the_database_admits_them() -> None:
    assert {cls.__module__ for cls in (Failing, Released, Stored)} == {"app.probes"}
