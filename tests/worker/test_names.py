"""A name belongs to one living worker; what an earlier one of that name held is taken up."""

import asyncio
import os
import time
from pathlib import Path

import pytest
from redis.asyncio import Redis

from app.models import statements
from app.worker.lease import WorkerIdTaken
from app.worker.options import Options
from app.worker.pace import Pace
from app.worker.queue import Queue
from local import Services
from tests.fakes.processes import arvel, kill
from tests.fakes.waiting import patience
from tests.worker.probes.notes import Note, Slow
from tests.worker.workers import PACE, until, worker

STREAM = "pillarbox:queue:default"
NAMED = {"WORKER_ID": "post-1"}
SLOW_TO_TAKE_OVER = {"abandoned": 60.0}


async def holders() -> list[str]:
    rows = await statements.run("SELECT id FROM workers ORDER BY id")
    return [row["id"] for row in rows]


async def move_elsewhere() -> None:
    """Make the worker look as if it ran where we can't see its process."""
    await statements.run("UPDATE workers SET place = 'another machine'")


async def test_second_worker_with_a_living_name_exits_with_2_and_says_who_has_it(
    queue: Queue, tmp_path: Path
) -> None:
    async with arvel("dispatch:work", "--id=post-1", log=tmp_path / "first") as first:
        await until(lambda: _is("post-1"), 40)
        for command in (["dispatch:work", "--id=post-1"], ["queue:work"]):
            log = tmp_path / command[0]
            async with arvel(*command, environment=NAMED, log=log) as second:
                assert await asyncio.wait_for(second.wait(), patience(40)) == 2
            said = log.read_text().replace("\n", " ")
            assert "The worker id 'post-1' is held by process" in said
            assert str(first.pid) in said
        assert first.returncode is None


async def _is(name: str) -> bool:
    return await holders() == [name]


async def test_name_of_a_worker_out_of_sight_is_refused_once_that_gives_a_sign_of_life(
    queue: Queue, tmp_path: Path
) -> None:
    """And whoever waits for it does not count as healthy by the file of an earlier run."""
    health = tmp_path / "health"
    health.touch()
    async with worker(environment=NAMED):
        await until(lambda: _is("post-1"))
        await move_elsewhere()
        with pytest.raises(WorkerIdTaken, match="post-1"):
            async with asyncio.timeout(patience(10)):
                await _serve_as(queue, "post-1", health)
    assert not health.exists()


async def _serve_as(queue: Queue, name: str, health: Path | None = None) -> None:
    queue.pace, queue.ticks = Pace(**PACE | SLOW_TO_TAKE_OVER), []
    options = Options(worker_id=name, health_check_file=health)
    await queue.serve(options, asyncio.Event(), asyncio.Event())


async def test_name_of_a_worker_out_of_sight_is_free_once_that_was_silent_for_long(
    queue: Queue,
) -> None:
    async with worker(environment=NAMED) as silent:
        await until(lambda: _is("post-1"))
        silent.freeze()
        await move_elsewhere()
        frozen = time.monotonic()
        async with worker(environment=NAMED) as second:
            await until(lambda: second.said("worker_started"), 30)
            assert time.monotonic() - frozen > PACE["abandoned"]
            silent.wake()
            # Whoever has lost the name ends, and takes nothing from its successor.
            assert await silent.ended(20) == 0
            assert await silent.said("worker_id_lost")
            assert second.running
            assert await holders() == ["post-1"]


async def test_killed_worker_s_successor_takes_up_what_it_held_at_once(
    queue: Queue, redis: Redis
) -> None:
    """Field report 9: not after hours, and not after the time of a lock."""
    await queue.push_many(Slow, [(("a", 2.0), None)] * 5)
    async with worker(SLOW_TO_TAKE_OVER, NAMED) as first:
        await until(lambda: _begun(redis, 5))
        first.kill()
        await first.ended()
    async with worker(SLOW_TO_TAKE_OVER, NAMED) as second:
        await until(lambda: second.said("worker_started"), 30)
        started = time.monotonic()
        await until(lambda: _begun(redis, 10))
        assert time.monotonic() - started < patience(5)
        assert await second.said("previous_messages_found")


async def _begun(redis: Redis, jobs: int) -> bool:
    return await redis.llen("ran:a:begun") == jobs


async def test_start_of_a_worker_takes_nothing_from_a_living_sibling(
    queue: Queue, redis: Redis
) -> None:
    """Also when its jobs take longer than what counts as abandoned."""
    await queue.push_many(Slow, [(("a", 4.0), None)] * 5)
    async with worker(environment={"WORKER_ID": "post"}) as busy:
        await until(lambda: _begun(redis, 5))
        async with worker(environment={"WORKER_ID": "post:2"}) as other:
            await until(lambda: other.said("worker_started"))
            await until(lambda: _ended(redis, 5))
            assert not await other.said("messages_taken_over")
        assert busy.running
    assert await redis.llen("ran:a:begun") == 5


async def _ended(redis: Redis, jobs: int) -> bool:
    return await redis.llen("ran:a:ended") == jobs


async def test_restart_of_the_broker_frees_no_name(
    services: Services, queue: Queue, redis: Redis
) -> None:
    async with worker(environment=NAMED) as first:
        await until(lambda: _is("post-1"))
        await asyncio.to_thread(services.valkey.kill)
        await asyncio.to_thread(services.valkey.start)
        async with worker(environment=NAMED) as second:
            assert await second.ended() != 0
        assert first.running
        await Note.dispatch("after")
        await until(lambda: redis.exists("ran:after"))


async def test_worker_that_ends_leaves_no_name_behind(queue: Queue) -> None:
    async with worker() as one:
        await until(lambda: one.said("worker_started"))
        assert len(await holders()) == 1
        one.terminate()
        assert await one.ended() == 0
    assert await holders() == []


async def test_number_of_a_process_that_is_used_again_is_no_worker(queue: Queue) -> None:
    async with worker(environment=NAMED) as first:
        await until(lambda: _is("post-1"))
        first.kill()
        await first.ended()
    # As if the system had given its number to this process since.
    await statements.run("UPDATE workers SET pid = $1", os.getpid())
    async with worker(environment=NAMED) as second:
        await until(lambda: second.said("worker_started"))


async def test_killed_process_of_the_command_is_followed_at_once(
    queue: Queue, tmp_path: Path
) -> None:
    async with arvel("dispatch:work", "--id=post-1") as first:
        await until(lambda: _is("post-1"), 40)
        kill(first)
        await first.wait()
    log = tmp_path / "log"
    told = {"LOG_LEVEL": "info"}
    async with arvel("dispatch:work", "--id=post-1", environment=told, log=log):

        async def started() -> bool:
            return "worker_started" in log.read_text()

        await until(started, 25)
