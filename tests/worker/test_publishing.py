"""Jobs reach the stream of their queue, those of one commit together, with little luggage."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Any

import msgspec
import pytest
from arvel.kernel import app
from arvel.kernel.logging import LogManager
from arvel.queue import Bus
from arvel.support.context import Context
from redis.asyncio import Redis

from app.worker.names import KEEP
from app.worker.queue import Queue
from app.worker.refusal import Refused
from app.worker.routing import UnknownQueue
from tests.worker.inside import run_until_empty
from tests.worker.probes.notes import Note, Once
from tests.worker.probes.shapes import Shaped
from tests.worker.probes.stored import Stored


class RollBack(Exception):
    pass


@asynccontextmanager
async def rolled_back() -> AsyncGenerator[None]:
    with suppress(RollBack):
        async with app().make("db").transaction():
            yield
            raise RollBack


async def lengths(redis: Redis) -> dict[str, int]:
    return {q: await redis.xlen(f"pillarbox:queue:{q}") for q in ("high", "default", "bulk")}


async def payloads_on(redis: Redis, label: str) -> list[dict[str, Any]]:
    entries = await redis.xrange(f"pillarbox:queue:{label}")
    return [json.loads(json.loads(fields[b"data"])["args"][0]) for _, fields in entries]


async def pipelines(redis: Redis) -> int:
    """How many times jobs were published: each ends with one EXPIRE for each queue."""
    stats = (await redis.info("commandstats")).get("cmdstat_expire", {})
    return stats.get("calls", 0)


async def test_job_lies_on_the_stream_of_its_queue(queue: Queue, redis: Redis) -> None:
    task = await queue.push(Note, ("a",), {}, queue="high")
    await Note.dispatch("b")
    assert await lengths(redis) == {"high": 1, "default": 1, "bulk": 0}
    entries = await redis.xrange("pillarbox:queue:high")
    assert task is not None
    assert json.loads(entries[0][1][b"data"])["task_id"] == task.task_id


async def test_queue_may_be_named_where_a_job_is_dispatched(queue: Queue, redis: Redis) -> None:
    await Note.dispatch("a", queue="bulk")
    assert await lengths(redis) == {"high": 0, "default": 0, "bulk": 1}
    assert (await payloads_on(redis, "bulk"))[0]["kwargs"] == {}


async def test_queue_that_no_worker_reads_is_refused(queue: Queue) -> None:
    with pytest.raises(UnknownQueue, match="high, default, bulk"):
        await Note.dispatch("a", queue="urgent")
    with pytest.raises(UnknownQueue):
        await queue.dispatch_after(1, Stored("a"), queue="urgent")


async def test_job_that_no_worker_would_run_is_refused_where_it_is_dispatched(
    queue: Queue,
) -> None:
    with pytest.raises(Refused):
        await queue.push(Shaped, ("no id",), {})
    with pytest.raises(Refused):
        await Bus.chain([Note("a"), Note("b")]).catch(json.dumps).dispatch()


async def test_jobs_of_one_commit_leave_together(queue: Queue, redis: Redis) -> None:
    before = await pipelines(redis)
    async with app().make("db").transaction():
        await queue.push_many(Note, [(("a",), "bulk"), (("b",), "bulk")])
        await Note.dispatch_after_commit("c", queue="bulk")
        assert await lengths(redis) == {"high": 0, "default": 0, "bulk": 0}
    assert await lengths(redis) == {"high": 0, "default": 0, "bulk": 3}
    assert await pipelines(redis) - before == 1


async def test_unique_job_lies_in_the_queue_once(queue: Queue, redis: Redis) -> None:
    assert await queue.push(Once, ("a",), {}) is not None
    assert await queue.push(Once, ("a",), {}) is None
    assert (await lengths(redis))["default"] == 1
    await run_until_empty(queue)
    assert await queue.push(Once, ("a",), {}) is not None


async def test_rollback_drops_its_jobs(queue: Queue, redis: Redis) -> None:
    async with rolled_back():
        await queue.push_many(Note, [(("a",), "bulk")])
    async with app().make("db").transaction():
        await queue.push_many(Note, [(("b",), "high")])
    assert await lengths(redis) == {"high": 1, "default": 0, "bulk": 0}


async def test_job_carries_request_and_actor_and_nothing_else(queue: Queue, redis: Redis) -> None:
    Context.add({"request_id": "r1", "secret": "canary"})
    Context.add_hidden("token", "canary")
    with LogManager.bound_context(request_id="r1", actor_id="a1", address="canary"):
        await queue.push(Note, ("a",), {})
        await queue.push_instance(Note("a"))
        await queue.dispatch_after(5, Stored("a"))
    Context.flush()
    rows = await app().make("db").select("SELECT payload FROM jobs")
    written = [*await payloads_on(redis, "default"), json.loads(rows[0]["payload"])]
    for content in written:
        assert content["_log_context"] == {"request_id": "r1", "actor_id": "a1"}
        assert content["_context"] == {"visible": {"request_id": "r1"}, "hidden": {}}
        assert "canary" not in json.dumps(content)


async def test_no_key_stays_for_ever(queue: Queue, redis: Redis) -> None:
    """Field report 4."""
    await queue.push_many(Note, [(("a",), label) for label in ("high", "default", "bulk")])
    for key in await redis.keys("pillarbox:q*"):
        assert 0 < await redis.ttl(key) <= KEEP


async def test_delayed_job_joins_the_transaction(queue: Queue) -> None:
    async with rolled_back():
        await Stored.dispatch_after(5, "a")
    assert await app().make("db").select("SELECT id FROM jobs") == []


async def test_database_admits_no_job_from_elsewhere(queue: Queue) -> None:
    content = msgspec.json.encode({"job": "subprocess:check_call", "state": {}}).decode()
    insert = "INSERT INTO jobs (queue, payload, attempts, available_at, created_at)"
    with pytest.raises(Exception, match="jobs_known_job"):
        await app().make("db").statement(f"{insert} VALUES ('high', :p, 0, 0, 0)", {"p": content})
