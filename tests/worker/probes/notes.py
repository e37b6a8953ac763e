"""Throw-away jobs that write down on Redis that they ran."""

import asyncio
import os
from typing import Any, ClassVar

from arvel.queue import Job
from arvel.queue.middleware import ShouldBeUnique
from redis.asyncio import Redis

from app.jobs.overlap import WithoutOverlapping


async def note(key: str, value: object = "") -> None:
    async with Redis.from_url(os.environ["REDIS_URL"]) as redis:
        await redis.rpush(f"ran:{key}", str(value or os.getpid()))
        await redis.expire(f"ran:{key}", 600)


class Note(Job):
    """Says that it ran."""

    tries = 1

    def __init__(self, key: str, value: str = "") -> None:
        self.key = key
        self.value = value

    async def handle(self) -> None:
        await note(self.key, self.value)


class Once(Note, ShouldBeUnique):
    """Lies in the queue once at a time."""


class Slow(Job):
    """Says when it begins and, ``seconds`` later, when it ends."""

    tries = 1

    def __init__(self, key: str, seconds: float) -> None:
        self.key = key
        self.seconds = seconds

    async def handle(self) -> None:
        await note(f"{self.key}:begun")
        await asyncio.sleep(self.seconds)
        await note(f"{self.key}:ended")


class Quiet(Slow):
    """Says that it begins, and nothing more."""

    async def handle(self) -> None:
        await note(self.key)
        await asyncio.sleep(self.seconds)


class Alone(Slow):
    """One at a time for a key."""

    def middleware(self) -> list[Any]:
        return [WithoutOverlapping(self.key, expire=30)]


class Crowd(Job):
    """Says how many of its kind run at once in this process."""

    tries = 1
    now: ClassVar[int] = 0

    def __init__(self, key: str) -> None:
        self.key = key

    async def handle(self) -> None:
        Crowd.now += 1
        await note(self.key, Crowd.now)
        await asyncio.sleep(0.05)
        Crowd.now -= 1


class Broken(Job):
    """Fails in a way that arvel's runner doesn't settle."""

    tries = 1

    def __init__(self, key: str) -> None:
        self.key = key

    async def handle(self) -> None:
        await note(self.key)
        raise RuntimeError

    async def failed(self, exc: BaseException) -> None:
        raise RuntimeError


class Deadly(Job):
    """Takes its worker with it."""

    tries = 1

    def __init__(self, key: str) -> None:
        self.key = key

    async def handle(self) -> None:
        await note(self.key)
        os._exit(9)
