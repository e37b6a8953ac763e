"""The lock around a job is a courtesy: nothing fails because of it."""

import asyncio
import time

import pytest
from arvel.kernel import Application
from arvel.kernel.bootstrap import lifespan
from redis.asyncio import Redis

from app.jobs.overlap import WithoutOverlapping
from local import Services
from tests.fakes.waiting import patience
from tests.worker import sockets
from tests.worker.application import create_app


async def run(key: str = "k", expire: int = 60, seconds: float = 0.0) -> bool:
    """Whether the job behind the middleware ran."""
    ran: list[object] = []

    async def job(value: object) -> None:
        await asyncio.sleep(seconds)
        ran.append(value)

    await WithoutOverlapping(key, expire).handle("job", job)
    return bool(ran)


async def test_one_of_many_runs(booted: Application) -> None:
    assert sorted(await asyncio.gather(*(run(seconds=0.3) for _ in range(10)))) == (
        [False] * 9 + [True]
    )
    assert await run()


async def test_lock_always_ends_by_itself(booted: Application, redis: Redis) -> None:
    """Field report 4."""
    running = asyncio.create_task(run(expire=5, seconds=0.3))
    await asyncio.sleep(0.1)
    (key,) = await redis.keys("job_overlap:*")
    assert 0 < await redis.pttl(key) <= 5000
    await running
    assert await redis.keys("job_overlap:*") == []
    with pytest.raises(ValueError, match="free"):
        WithoutOverlapping("k", expire=0)


async def test_lock_that_can_t_be_asked_stops_nobody(
    booted: Application, services: Services
) -> None:
    services.valkey.kill()
    started = time.monotonic()
    assert await run()
    assert time.monotonic() - started < patience(3.5)


async def test_lock_that_does_not_answer_costs_two_seconds_at_most(
    database_url: str, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with sockets.silent() as address:
        monkeypatch.setenv("CACHE_URL", address)
        async with lifespan(create_app()):
            started = time.monotonic()
            assert await run()
            assert 1 < time.monotonic() - started < patience(3.5)


async def test_broker_that_goes_away_meanwhile_does_not_fail_the_job(
    booted: Application, services: Services
) -> None:
    running = asyncio.create_task(run(seconds=0.5))
    await asyncio.sleep(0.1)
    services.valkey.kill()
    assert await running


async def test_error_of_the_job_is_its_own(booted: Application, redis: Redis) -> None:
    async def fail(_: object) -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await WithoutOverlapping("k").handle("job", fail)
    assert await redis.keys("job_overlap:*") == []
