"""Runs the ticks: every worker asks PostgreSQL for them, and one gets each."""

import asyncio
import contextlib
import importlib
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import cast

from arvel.queue import Job

from app.models.queries import ticks as queries
from app.worker.names import log
from app.worker.outage import Outage
from app.worker.ticks import Tick

type Handle = Callable[[Job], Awaitable[object]]

SOONEST = 0.05
LATE = 0.02
"""Seconds by which we ask later than by our own clock, so as not to be early by the database's."""
RUNNING = 0.5
"""Seconds after which we look again whether a tick that is due still runs."""


class Ticker:
    def __init__(self, ticks: Sequence[Tick], who: str, handle: Handle) -> None:
        self._ticks = {tick.name: tick for tick in ticks if _exists(tick)}
        self._next = dict.fromkeys(self._ticks, 0.0)
        self._resting: set[str] = set()
        self._who = who
        self._handle = handle
        self._nudged = asyncio.Event()
        self.running: dict[str, asyncio.Task[None]] = {}

    def nudge(self) -> None:
        """There is work again: what rests is asked for in its usual time."""
        if self._resting:
            self._resting.clear()
            self._nudged.set()

    async def run(self) -> None:
        """Until cancelled; what is running then goes on, in ``running``."""
        outage = Outage("database")
        while True:
            try:
                await self._claim()
                outage.over()
            except Exception as error:
                await outage.sit_out(error)
            await self._wait()

    async def _claim(self) -> None:
        now = time.monotonic()
        due = {
            name: self._interval(tick)
            for name, tick in self._ticks.items()
            if self._next[name] <= now and name not in self.running
        }
        if not due:
            return
        won, waits = await queries.claim(due, self._who)
        for name in due:
            self._next[name] = _in(waits.get(name, self._ticks[name].every))
        for name in won:
            self._start(self._ticks[name])

    def _interval(self, tick: Tick) -> float:
        return max(tick.every, tick.at_rest) if tick.name in self._resting else tick.every

    def _start(self, tick: Tick) -> None:
        task = asyncio.create_task(self._run(tick))
        self.running[tick.name] = task
        task.add_done_callback(lambda _: self.running.pop(tick.name, None))

    async def _run(self, tick: Tick) -> None:
        try:
            job = _load(tick.job)()
            async with asyncio.timeout(job.timeout):
                found = await self._handle(job)
        except Exception as error:
            log().error("tick_failed", tick=tick.name, error=type(error).__name__)
            return
        if found is False and tick.at_rest:
            self._resting.add(tick.name)
            self._next[tick.name] = _in(self._interval(tick))

    async def _wait(self) -> None:
        now = time.monotonic()
        waits = [
            max(at - now, RUNNING if name in self.running else SOONEST)
            for name, at in self._next.items()
        ]
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._nudged.wait(), min(waits, default=None))
        if self._nudged.is_set():
            self._nudged.clear()
            self._wake()

    def _wake(self) -> None:
        for name, tick in self._ticks.items():
            if tick.at_rest:
                self._next[name] = min(self._next[name], _in(tick.every))


def _in(seconds: float) -> float:
    return time.monotonic() + seconds + LATE


def _exists(tick: Tick) -> bool:
    try:
        return bool(_load(tick.job))
    except ImportError, AttributeError:
        log().warning("tick_missing", tick=tick.name)
        return False


def _load(path: str) -> type[Job]:
    module, _, name = path.partition(":")
    return cast("type[Job]", getattr(importlib.import_module(module), name))
