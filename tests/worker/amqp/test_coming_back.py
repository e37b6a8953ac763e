"""What comes back to RabbitMQ: dead letters, jobs that were delayed, and what was lost."""

from datetime import UTC, datetime, timedelta

from arvel.kernel import app
from redis.asyncio import Redis

from app.worker.queue import Queue
from tests.worker.inside import run_until_empty, working
from tests.worker.lying import left
from tests.worker.probes.notes import Note
from tests.worker.probes.stored import Failing, Stored
from tests.worker.workers import until


async def test_a_dead_letter_is_retried(queue: Queue, redis: Redis) -> None:
    await queue.push(Failing, ("a",), {}, queue="bulk")
    async with working(queue):
        await until(lambda: app().make("db").select("SELECT id FROM failed_jobs"))
    [letter] = await queue.retry_failed()
    assert letter.label == "bulk"
    assert await left(queue) == [0, 0, 1]


async def test_a_delayed_job_is_run_when_it_comes_due(queue: Queue, redis: Redis) -> None:
    await queue.dispatch_after(0.5, Stored("a"), queue="high")
    assert await left(queue) == [0, 0, 0]
    async with working(queue):
        await until(lambda: redis.exists("ran:a"))


async def test_the_sweep_learns_what_can_not_wait_any_more(queue: Queue, redis: Redis) -> None:
    begun = datetime.now(UTC) - timedelta(seconds=1)
    nothing = {"high": None, "default": None, "bulk": None}
    assert await queue.broker.oldest() == nothing
    await queue.push_many(Note, [(("a",), "bulk")])
    # Nobody here has read this queue: what lies there may have been there for ever.
    assert (await queue.broker.oldest())["bulk"] == datetime.fromtimestamp(0, UTC)
    await run_until_empty(queue)
    assert await queue.broker.oldest() == nothing
    await queue.push_many(Note, [(("b",), "bulk")])
    since = (await queue.broker.oldest())["bulk"]
    assert since is not None
    assert begun < since < datetime.now(UTC)
