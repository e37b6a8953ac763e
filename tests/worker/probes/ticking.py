"""Throw-away jobs for the ticker."""

from typing import ClassVar

from arvel.queue import Job


class Tick(Job):
    """Counts its runs in this process."""

    tries = 1
    runs: ClassVar[int] = 0
    finds: ClassVar[object] = None

    async def handle(self) -> object:
        Tick.runs += 1
        return Tick.finds


class BadTick(Job):
    tries = 1

    async def handle(self) -> None:
        raise RuntimeError
