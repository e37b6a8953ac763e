"""A worker on real servers calls nothing that an attacker names, on any way into the decoder."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from arvel.kernel import app
from arvel.queue import Bus
from redis.asyncio import Redis

from app.models.queries import released
from app.worker.envelope import wrap
from app.worker.queue import Queue
from app.worker.refusal import Refused
from app.worker.signing import Signer, configured
from tests.worker.inside import run_until_empty, working
from tests.worker.probes.callbacks import forbidden
from tests.worker.probes.notes import Note
from tests.worker.workers import until

STREAM = "pillarbox:queue:high"
NOTE = "tests.worker.probes.notes:Note"
STORED = "app.probes:Stored"


@pytest.fixture
async def marker(tmp_path: Path) -> AsyncIterator[Path]:
    """A file that must not come into being."""
    path = tmp_path / "it-ran"
    yield path
    assert not path.exists()


def shell(marker: Path) -> str:
    command = [["sh", "-c", f"touch {marker}"]]
    return json.dumps({"job": "subprocess:check_call", "args": command, "kwargs": {}})


async def put(redis: Redis, payload: str, signature: bytes | None = None) -> None:
    data = wrap(payload, "high", "1")
    fields: dict[Any, Any] = {"data": data}
    await redis.xadd(STREAM, fields if signature is None else fields | {"sig": signature})


async def works_on(queue: Queue, redis: Redis, quarantined: int) -> list[bytes]:
    """Let a worker empty the queues; the reasons for what it put aside."""
    async with working(queue):
        await until(lambda: _has(redis, "pillarbox:quarantine", quarantined))
        await until(lambda: _empty(redis))
    entries = await redis.xrange("pillarbox:quarantine")
    return sorted(fields[b"reason"] for _, fields in entries)


async def _has(redis: Redis, stream: str, entries: int) -> bool:
    return await redis.xlen(stream) >= entries


async def _empty(redis: Redis) -> bool:
    return await redis.xlen(STREAM) == 0


async def test_stream(queue: Queue, redis: Redis, marker: Path) -> None:
    forged = Signer(["another key"])
    payload = shell(marker)
    data = wrap(payload, "high", "1")
    await put(redis, payload)
    await put(redis, payload, b"")
    await put(redis, payload, forged.sign("high", data))
    await put(redis, payload, configured().sign("bulk", data))
    await put(redis, payload, configured().sign("high", data))
    await redis.xadd(STREAM, {"anything": "else"})
    assert await works_on(queue, redis, 6) == [b"bad_signature"] * 5 + [b"unknown_job"]


async def test_chain_and_references_in_a_signed_message(
    queue: Queue, redis: Redis, marker: Path
) -> None:
    for state in (
        {"key": "a", "__arvel_chain__": [shell(marker)]},
        {"key": "a", "__arvel_chain_catch__": "tests.worker.probes.callbacks:forbidden"},
        {"key": {"__model__": "os:abort", "__id__": 1}},
    ):
        payload = json.dumps({"job": NOTE, "state": state})
        await put(redis, payload, configured().sign("high", wrap(payload, "high", "1")))
    listener = {"listener_ref": "os:abort", "is_class": True, "listener_state": None, "args": []}
    payload = json.dumps({"job": "arvel.queue.listener:CallQueuedListener", "state": listener})
    await put(redis, payload, configured().sign("high", wrap(payload, "high", "1")))
    assert await works_on(queue, redis, 4) == [
        b"bad_arguments",
        b"unknown_callback",
        b"unknown_listener",
        b"unreadable",
    ]
    assert await redis.llen("ran:a") == 0


async def test_table_of_jobs(queue: Queue, redis: Redis, marker: Path) -> None:
    chain = {"key": "a", "__arvel_chain__": [shell(marker)]}
    await released.store("high", json.dumps({"job": STORED, "state": chain}), 0, 0)
    by_call = {"job": STORED, "args": [{"__model__": "os:abort", "__id__": 1}], "kwargs": {}}
    await released.store("high", json.dumps(by_call), 0, 0)
    await app().make("db").statement("UPDATE jobs SET available_at = available_at - 3601")
    assert await works_on(queue, redis, 2) == [b"bad_arguments", b"unreadable"]
    assert await redis.llen("ran:a") == 0


async def test_callbacks_of_a_batch(queue: Queue, redis: Redis) -> None:
    batch = await Bus.batch([Note("a"), Note("a")]).dispatch()
    options = json.dumps({"finally": ["tests.worker.probes.callbacks:forbidden"]})
    await (
        app()
        .make("db")
        .statement(
            "UPDATE job_batches SET options = :options WHERE id = :id",
            {"options": options, "id": batch.id},
        )
    )
    async with working(queue):
        await until(lambda: _has(redis, "pillarbox:quarantine", 2))
    reasons = [fields[b"reason"] for _, fields in await redis.xrange("pillarbox:quarantine")]
    assert reasons == [b"unknown_callback"] * 2
    assert await redis.llen("ran:forbidden") == await redis.llen("ran:a") == 0


async def test_batch_with_a_forbidden_callback_is_refused_where_it_is_made(queue: Queue) -> None:
    with pytest.raises(Refused):
        await Bus.batch([Note("a")]).then(forbidden).dispatch()


async def test_queue_that_is_read_by_taskiq_itself_is_refused(queue: Queue) -> None:
    with pytest.raises(RuntimeError, match="queue:work"):
        queue.broker.listen()


async def test_quarantine_is_bounded(queue: Queue, redis: Redis) -> None:
    for _ in range(20):
        pipeline = redis.pipeline(transaction=False)
        for _ in range(100):
            pipeline.xadd(STREAM, {"data": str(uuid4())})
        await pipeline.execute()
    await run_until_empty(queue)
    assert 1000 <= await redis.xlen("pillarbox:quarantine") < 1200
