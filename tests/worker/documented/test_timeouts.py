"""Attempts that take too long, workers that vanish, and rows that nobody can read."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from arvel.kernel import app
from redis.asyncio import Redis

from app.models.queries import released
from app.worker.publisher import Message
from app.worker.queue import Queue
from tests.worker.documented.jobs import Patient, Report, Stuck, StuckOnce
from tests.worker.documented.seen import letters, queued, said, work_until


async def test_attempt_that_takes_too_long_is_a_failed_one(queue: Queue) -> None:
    await Stuck.dispatch("a")
    await work_until(queue, "a:failed")
    assert len(await said("a")) == 2
    assert await said("a:failed") == ["TimeoutError: "]
    assert len(await letters()) == 1


async def test_first_one_may_be_the_end(queue: Queue) -> None:
    await StuckOnce.dispatch("a")
    await work_until(queue, "a:failed")
    assert len(await said("a")) == 1


RESERVED = "SELECT reserved_until - reserved_at AS seconds FROM jobs ORDER BY id"


async def test_class_may_say_how_long_its_row_is_kept_for_a_worker_that_vanished(
    queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    await Report.dispatch_after(0, "a")
    await Patient.dispatch_after(0, "a")
    seen: list[int] = []

    async def vanish(_: Sequence[Message]) -> None:
        seen.extend(row["seconds"] for row in await app().make("db").select(RESERVED))
        raise ConnectionAbortedError

    monkeypatch.setattr(queue.release, "_publisher", _Instead(vanish))
    with pytest.raises(ConnectionAbortedError):
        await queue.release_due_jobs()
    assert [round(seconds, -1) for seconds in seen] == [90, 600]


class _Instead:
    def __init__(self, publish: Any) -> None:
        self.publish = publish


async def store(name: str) -> None:
    payload = json.dumps({"job": f"app.own:{name}", "state": {"key": "a", "value": name}})
    await released.store("default", payload, 0, 0)


async def test_row_of_a_class_that_is_no_more_blocks_nobody_and_waits_for_who_knows_it(
    queue: Queue, redis: Redis
) -> None:
    await store("Renamed")
    await store("Report")
    assert await queue.release_due_jobs() == 1
    assert await queue.release_due_jobs() == 0
    assert await queued() == {"default": 1}
    (row,) = await app().make("db").select("SELECT payload, reserved_until FROM jobs")
    assert "Renamed" in row["payload"]
    assert row["reserved_until"] is not None

    queue.known._jobs["app.own:Renamed"] = Report
    await app().make("db").statement("UPDATE jobs SET reserved_until = 0")
    assert await queue.release_due_jobs() == 1
    assert await redis.exists("pillarbox:quarantine") == 0


async def test_after_an_hour_it_is_put_into_quarantine(queue: Queue, redis: Redis) -> None:
    await store("Renamed")
    await app().make("db").statement("UPDATE jobs SET available_at = available_at - 3601")
    assert await queue.release_due_jobs() == 0
    ((_, fields),) = await redis.xrange("pillarbox:quarantine")
    assert fields[b"reason"] == b"unknown_job"
    assert await app().make("db").select("SELECT id FROM jobs") == []
