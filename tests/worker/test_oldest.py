"""What still waits its turn on a stream, and what no worker will bring any more."""

from datetime import UTC, datetime

import pytest
from redis.asyncio import Redis

from app.worker.queue import Queue
from tests.worker.inside import run_until_empty
from tests.worker.probes.notes import Note

STREAM = "pillarbox:queue:default"
NOTHING = {"high": None, "default": None, "bulk": None}


async def push(queue: Queue, redis: Redis) -> datetime:
    """When the message was put on its stream."""
    await queue.push_many(Note, [(("a",), "default")])
    [(identifier, _)] = await redis.xrevrange(STREAM, count=1)
    return datetime.fromtimestamp(int(identifier.split(b"-")[0]) / 1000, UTC)


async def test_what_no_worker_was_given_waits(queue: Queue, redis: Redis) -> None:
    assert await queue.broker.oldest() == NOTHING
    first = await push(queue, redis)
    await push(queue, redis)
    assert await queue.broker.oldest() == {**NOTHING, "default": first}
    await run_until_empty(queue)
    assert await queue.broker.oldest() == NOTHING


@pytest.mark.parametrize("more", [0, 1])
async def test_a_message_that_kills_its_workers_holds_nothing_back(
    queue: Queue, redis: Redis, more: int
) -> None:
    await push(queue, redis)
    await redis.xgroup_create(STREAM, "workers", id="0")
    await redis.xreadgroup("workers", "dead", {STREAM: ">"}, count=1)
    later = [await push(queue, redis) for _ in range(more)]
    assert await queue.broker.oldest() == {**NOTHING, "default": later[0] if later else None}
