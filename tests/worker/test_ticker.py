"""Ticks: one worker runs each, by the database's clock, whatever becomes of it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from arvel.kernel import Application, app
from arvel.kernel.bootstrap import lifespan

from app.models.queries import ticks as queries
from app.worker.due import pause_before
from app.worker.queue import Queue
from app.worker.ticker import Ticker
from app.worker.ticks import Tick, configured_ticks
from local import Services
from tests.worker.application import create_app
from tests.worker.probes import ticking
from tests.worker.workers import until

JOB = "tests.worker.probes.ticking:Tick"
BAD = "tests.worker.probes.ticking:BadTick"


@pytest.fixture(autouse=True)
def runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ticking.Tick, "runs", 0)
    monkeypatch.setattr(ticking.Tick, "finds", None)


@asynccontextmanager
async def ticking_by(*tickers: Ticker) -> AsyncIterator[None]:
    tasks = [asyncio.create_task(ticker.run()) for ticker in tickers]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def ran(times: int) -> bool:
    return ticking.Tick.runs >= times


async def test_one_of_many_wins_each_tick(booted: Application) -> None:
    """Field report 15."""
    claims = [queries.claim({"a": 60, "b": 60}, str(i)) for i in range(10)]
    won = [name for names, _ in await asyncio.gather(*claims) for name in names]
    assert sorted(won) == ["a", "b"]


async def test_loser_learns_when_to_ask_again(booted: Application) -> None:
    await queries.claim({"a": 60}, "x")
    won, waits = await queries.claim({"a": 60, "b": 1}, "y")
    assert won == {"b"}
    assert 59 < waits["a"] <= 60


async def test_tick_is_due_again_by_the_clock_of_the_database(booted: Application) -> None:
    await queries.claim({"a": 60}, "x")
    statement = "UPDATE ticks SET last_run = last_run - interval '61 s'"
    await app().make("db").statement(statement)
    assert (await queries.claim({"a": 60}, "y"))[0] == {"a"}


async def test_several_workers_tick_as_often_as_one(queue: Queue) -> None:
    tick = Tick("a", 0.5, JOB)
    async with ticking_by(*(Ticker([tick], str(i), queue.run_here) for i in range(4))):
        await asyncio.sleep(2.2)
    assert 3 <= ticking.Tick.runs <= 5


async def test_tick_that_fails_or_is_missing_stops_no_other(queue: Queue) -> None:
    ticks = [Tick("bad", 0.1, BAD), Tick("gone", 0.1, "app.jobs.gone:Gone"), Tick("a", 0.1, JOB)]
    async with ticking_by(Ticker(ticks, "x", queue.run_here)):
        await until(lambda: ran(3))


async def test_tick_outlives_a_database_that_is_away(queue: Queue, services: Services) -> None:
    async with ticking_by(Ticker([Tick("a", 0.1, JOB)], "x", queue.run_here)):
        await until(lambda: ran(1))
        services.postgres.kill()
        await asyncio.sleep(0.5)
        services.postgres.start()
        before = ticking.Tick.runs
        await until(lambda: ran(before + 2))


async def test_tick_without_work_rests_until_there_is_other_work(
    queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ticking.Tick, "finds", False)
    ticker = Ticker([Tick("a", 0.2, JOB, at_rest=60)], "x", queue.run_here)
    async with ticking_by(ticker):
        await until(lambda: ran(1))
        await asyncio.sleep(0.8)
        assert ticking.Tick.runs == 1
        ticker.nudge()
        await until(lambda: ran(2), 2)


def test_sandbox_plays_outside_production_only(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "play_sandbox" in {tick.name for tick in configured_ticks()}


async def test_production_has_no_sandbox(
    database_url: str, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("APP_ENV", "production")
    async with lifespan(create_app()):
        names = {tick.name for tick in configured_ticks()}
    assert names == {"sweep_items", "poll_twilio", "timeout_sms", "prune_history"}


@pytest.mark.parametrize(
    ("wait", "pause"), [(None, 5), (60, 5), (10, 1), (0.5, 0.5), (0, 0.1), (-3, 0.1)]
)
def test_due_items_are_looked_for_each_second_when_one_comes_due_soon(
    wait: float | None, pause: float
) -> None:
    assert pause_before(wait) == pause
