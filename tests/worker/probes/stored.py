"""Throw-away jobs whose names the database admits: it knows those of ``app`` alone."""

import asyncio
import sys
from typing import Any

from arvel.queue import Job
from arvel.queue.middleware import JobShouldBeReleased

from app.jobs.holds import hold
from tests.worker.probes.notes import note

NAME = "app.probes"
sys.modules[NAME] = sys.modules[__name__]


class Failing(Job):
    """Fails every time, and is tried twice."""

    tries = 2
    backoff = 0
    __module__ = NAME

    def __init__(self, key: str, text: str = "no") -> None:
        self.key = key
        self.text = text

    async def handle(self) -> None:
        await note(self.key)
        raise RuntimeError(self.text)


class Released(Job):
    """Is put back once, and then runs."""

    tries = 1
    again: bool = False
    __module__ = NAME

    def __init__(self, key: str) -> None:
        self.key = key

    async def handle(self) -> None:
        await note(self.key)
        if not self.again:
            self.again = True
            raise JobShouldBeReleased(0)


class Stored(Job):
    """Says that it ran."""

    tries = 1
    __module__ = NAME

    def __init__(self, key: str) -> None:
        self.key = key

    async def handle(self) -> None:
        await note(self.key)


class Holding(Job):
    """Is cut off by its timeout, while what it holds goes on for ``seconds``."""

    tries = 1
    timeout = 1
    __module__ = NAME

    def __init__(self, key: str, seconds: float) -> None:
        self.key = key
        self.seconds = seconds

    async def handle(self) -> None:
        await note(f"{self.key}:begun")
        await hold(self._work())

    async def failed(self, exc: BaseException) -> None:
        await note(f"{self.key}:failed", type(exc).__name__)

    async def _work(self) -> None:
        try:
            await asyncio.sleep(self.seconds)
            await note(f"{self.key}:ended")
        except asyncio.CancelledError:
            await note(f"{self.key}:last words")
            raise


STORED: tuple[Any, ...] = (Failing, Holding, Released, Stored)
