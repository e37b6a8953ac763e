"""Throw-away jobs that write down on Redis that they ran."""

import asyncio
import os

from arvel.queue import Job
from redis.asyncio import Redis


async def note(key: str, value: str = "") -> None:
    async with Redis.from_url(os.environ["REDIS_URL"]) as redis:
        await redis.rpush(f"ran:{key}", value or str(os.getpid()))
        await redis.expire(f"ran:{key}", 600)


class Note(Job):
    """Says that it ran."""

    tries = 1

    def __init__(self, key: str) -> None:
        self.key = key

    async def handle(self) -> None:
        await note(self.key)


class Slow(Note):
    """Says when it begins and, ``seconds`` later, when it ends."""

    def __init__(self, key: str, seconds: float) -> None:
        self.key = key
        self.seconds = seconds

    async def handle(self) -> None:
        await note(f"{self.key}:begun")
        await asyncio.sleep(self.seconds)
        await note(f"{self.key}:ended")
