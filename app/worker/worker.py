"""One worker: it reads, keeps alive and acknowledges; and ends in good order."""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Iterable, Sequence
from typing import Any

from app.worker.connection import AWAY
from app.worker.names import log
from app.worker.pace import EXPIRED, Pace
from app.worker.port import Mailbox
from app.worker.pulse import Pulse

CLOSING = 2.0
"""Seconds for what is said to the broker at the end."""
HOUSEKEEPING = 3600.0
"""Seconds between two removals of consumers that died long ago."""

type Loop = Coroutine[Any, Any, None]


class Worker:
    """``reading`` runs until the worker stops, ``holding`` until all that was begun has ended.

    ``busy`` gives the tasks that were begun and have not ended.
    """

    def __init__(
        self,
        mailbox: Mailbox,
        reading: Iterable[Callable[[], Loop]],
        holding: Iterable[Callable[[], Loop]],
        busy: Callable[[], set[asyncio.Task[None]]],
        settle: Callable[[float], Loop],
        labels: Sequence[str],
        pace: Pace,
        pulse: Pulse,
    ) -> None:
        self._mailbox = mailbox
        self._reading = [*reading, self._keep_house]
        self._holding = list(holding)
        self._busy = busy
        self._settle = settle
        self._labels = labels
        self._pace = pace
        self._pulse = pulse

    async def run(self, stop: asyncio.Event, hurry: asyncio.Event, drain: float) -> None:
        """Work until ``stop``, then finish what was begun for ``drain`` seconds or until ``hurry``.

        What is left then is cancelled and not acknowledged, so that another worker takes it.
        """
        holding = [asyncio.create_task(loop()) for loop in self._holding]
        reading = [asyncio.create_task(loop()) for loop in self._reading]
        log().info("worker_started", queues=list(self._labels), consumer=self._mailbox.consumer)
        try:
            await _until(stop, [*reading, *holding])
        finally:
            await _cancel(reading)
            await self._stop_reading()
            await self._drain(hurry, drain)
            await self._settle(CLOSING)
            await _cancel(holding)
            await self._leave()
            log().info("worker_stopped")

    async def _drain(self, hurry: asyncio.Event, seconds: float) -> None:
        tasks = self._busy()
        if not tasks:
            return
        log().info("worker_draining", tasks=len(tasks))
        hurried = asyncio.create_task(hurry.wait())
        ended = asyncio.create_task(_end(tasks))
        alive = asyncio.create_task(self._pulse.while_draining())
        await asyncio.wait((hurried, ended), timeout=seconds, return_when="FIRST_COMPLETED")
        await _cancel([hurried, ended, alive])
        await self._cut_short()

    async def _cut_short(self) -> None:
        tasks = self._busy()
        if tasks:
            log().warning("work_cut_short", tasks=len(tasks))
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks, timeout=self._pace.last_words + 1)

    async def _stop_reading(self) -> None:
        with contextlib.suppress(*AWAY):
            async with asyncio.timeout(CLOSING):
                await self._mailbox.stop_reading()

    async def _leave(self) -> None:
        with contextlib.suppress(*AWAY):
            async with asyncio.timeout(CLOSING):
                for label in self._labels:
                    await self._mailbox.hand_back(label, self._pace.abandoned)
                    await self._mailbox.prune(label, EXPIRED, leave=True)
        await self._mailbox.close()

    async def _keep_house(self) -> None:
        while True:
            with contextlib.suppress(*AWAY):
                await self._mailbox.touch()
                for label in self._labels:
                    await self._mailbox.prune(label, EXPIRED)
            await asyncio.sleep(HOUSEKEEPING)


async def _until(stop: asyncio.Event, loops: Sequence[asyncio.Task[None]]) -> None:
    stopped = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait((stopped, *loops), return_when="FIRST_COMPLETED")
        for loop in loops:
            if loop.done():
                loop.result()
    finally:
        stopped.cancel()


async def _end(tasks: set[asyncio.Task[None]]) -> None:
    await asyncio.wait(tasks)


async def _cancel(tasks: Sequence[asyncio.Task[Any]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
