"""A worker in a process of its own runs what lies on the streams."""

from redis.asyncio import Redis

from app.worker.queue import Queue
from tests.worker.probes.notes import Note
from tests.worker.workers import worker


async def test_plain_worker_consumes_all_queues(queue: Queue, redis: Redis) -> None:
    await queue.push_many(Note, [(("a",), "high"), (("a",), "default"), (("a",), "bulk")])
    async with worker(queues=["default"], stop_when_empty=True) as process:
        code, printed = await process.ended()
    print(printed)
    assert code == 0
    assert await redis.llen("ran:a") == 3
    assert [await redis.xlen(f"pillarbox:queue:{q}") for q in ("high", "default", "bulk")] == [
        0,
        0,
        0,
    ]
