"""When a worker stops by itself, and that it finishes what it began."""

import asyncio
import os
import signal
import time

import pytest

from app.worker.queue import Queue
from tests.fakes.waiting import patience
from tests.worker.documented.jobs import Report
from tests.worker.documented.seen import queued, said
from tests.worker.inside import run_until_empty
from tests.worker.probes.notes import Slow
from tests.worker.workers import until


async def dispatch(queue: Queue, jobs: int) -> None:
    await queue.push_many(Report, [(("a",), None)] * jobs)


async def test_all_flags_may_be_given_at_once(queue: Queue) -> None:
    await dispatch(queue, 3)
    async with asyncio.timeout(patience(20)):
        await queue.work(max_jobs=2, max_time=15, stop_when_empty=True, rest=0.1, memory=4096)
    assert len(await said("a")) == 2
    assert await queued() == {"default": 1}


async def test_worker_stops_once_there_is_nothing_left(queue: Queue) -> None:
    await dispatch(queue, 5)
    async with asyncio.timeout(patience(20)):
        await queue.work(stop_when_empty=True)
    assert len(await said("a")) == 5


async def test_signal_lets_the_job_that_runs_finish_and_begins_no_other(queue: Queue) -> None:
    queue.allow(Slow)
    queue.app.config().set("queue.concurrency", 1)
    await queue.push_many(Slow, [(("a", 0.5), None), (("b", 0.5), None)])
    worker = asyncio.create_task(queue.work())
    await until(lambda: _has("a:begun"))
    os.kill(os.getpid(), signal.SIGTERM)
    async with asyncio.timeout(patience(10)):
        await worker
    assert len(await said("a:ended")) == 1
    assert await said("b:begun") == []
    assert await queued() == {"default": 1}


@pytest.mark.parametrize("limit", [{"max_time": 0.5}, {"memory": 1.0}])
async def test_worker_stops_at_its_limit(queue: Queue, limit: dict[str, float]) -> None:
    async with asyncio.timeout(patience(10)):
        await queue.work(["default"], **limit)


async def test_rest_lies_between_two_jobs(queue: Queue) -> None:
    queue.app.config().set("queue.concurrency", 1)
    await dispatch(queue, 3)
    started = time.monotonic()
    await run_until_empty(queue, rest=0.3)
    assert len(await said("a")) == 3
    assert time.monotonic() - started > 0.9


async def _has(key: str, times: int = 1) -> bool:
    return len(await said(key)) >= times
