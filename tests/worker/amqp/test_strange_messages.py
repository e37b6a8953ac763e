"""What must not run on RabbitMQ is put aside, and stops nothing else."""

from redis.asyncio import Redis

from app.worker.queue import Queue
from app.worker.refusal import Reason
from tests.worker.amqp import raw
from tests.worker.inside import run_until_empty, working
from tests.worker.lying import is_empty, left, set_aside
from tests.worker.probes.notes import Note
from tests.worker.workers import until


async def test_what_can_not_be_read_is_set_aside(queue: Queue, redis: Redis) -> None:
    await queue.push(Note, ("a",), {})
    await raw.put("default", b'{"job": "subprocess:check_call"}')
    await raw.put("default", b"\xff", sig="no signature")
    await raw.put("default", b"\xff", sig=7, at="yesterday")
    await run_until_empty(queue)
    assert await redis.llen("ran:a") == 1
    assert await is_empty(queue)
    assert queue.quarantine.counts == {Reason.BAD_SIGNATURE: 3}
    [kept, *_] = await raw.headers_of_what_was_set_aside()
    assert kept == {"queue": "default", "reason": "bad_signature", "content": "data"}


async def test_a_message_that_ten_workers_died_of_is_stopped(queue: Queue, redis: Redis) -> None:
    await queue.push_many(Note, [(("deadly",), None)])
    await raw.hand_back("default", 10)
    async with working(queue):
        await until(lambda: redis.exists("ran:poisoned"))
        await until(lambda: _counted(queue))
    assert not await redis.exists("ran:deadly")
    assert await left(queue) == [0, 0, 0]
    assert await set_aside(queue) == 1


async def _counted(queue: Queue) -> bool:
    return queue.quarantine.counts == {Reason.POISONED: 1}


async def test_nine_deliveries_are_not_too_many(queue: Queue, redis: Redis) -> None:
    await queue.push_many(Note, [(("a",), None)])
    await raw.hand_back("default", 9)
    await run_until_empty(queue)
    assert await redis.llen("ran:a") == 1


async def test_a_queue_of_another_kind_stops_that_one_alone(queue: Queue, redis: Redis) -> None:
    await raw.declare("high", delete=True)
    await raw.declare("high")
    await queue.broker.shutdown()
    await queue.broker.ping()
    assert not await queue.push_many(Note, [(("a",), label) for label in ("high", "bulk")])
    async with working(queue):
        await until(lambda: redis.exists("ran:a"))
        await raw.declare("high", delete=True)
        # Whoever published to the other queue finds out when it connects anew.
        await queue.broker.shutdown()
        await until(lambda: _published(queue))
        await until(lambda: redis.exists("ran:b"))
    assert await redis.llen("ran:a") == 1


async def _published(queue: Queue) -> bool:
    return bool(await queue.push_many(Note, [(("b",), "high")]))


async def test_a_queue_that_is_deleted_under_a_worker_is_made_anew(
    queue: Queue, redis: Redis
) -> None:
    async with working(queue):
        await queue.push_many(Note, [(("a",), None)])
        await until(lambda: redis.exists("ran:a"))
        await raw.declare("high", delete=True)
        await until(lambda: _published(queue))
        await until(lambda: redis.exists("ran:b"))
