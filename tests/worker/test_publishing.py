"""Jobs reach the stream of their queue, those of one commit together, and never raise."""

from arvel.kernel import app
from redis.asyncio import Redis

from app.worker.queue import Queue
from tests.worker.probes.notes import Note


async def test_job_lies_on_the_stream_of_its_queue(queue: Queue, redis: Redis) -> None:
    await queue.push(Note, ("a",), {}, queue="high")
    await Note.dispatch("b")
    assert await redis.xlen("pillarbox:queue:high") == 1
    assert await redis.xlen("pillarbox:queue:default") == 1


async def test_jobs_of_one_commit_leave_together(queue: Queue, redis: Redis) -> None:
    before = (await redis.info("commandstats")).get("cmdstat_xadd", {}).get("calls", 0)
    async with app().make("db").transaction():
        await queue.push_many(Note, [(("a",), "bulk"), (("b",), "bulk")])
        await Note.dispatch_after_commit("c")
        assert await redis.xlen("pillarbox:queue:bulk") == 0
    after = (await redis.info("commandstats"))["cmdstat_xadd"]["calls"]
    assert await redis.xlen("pillarbox:queue:bulk") == 2
    assert await redis.xlen("pillarbox:queue:default") == 1
    assert after - before == 3
