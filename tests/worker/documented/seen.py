"""What a test can see of jobs: what they said, where they wait, what became of them."""

import os
from collections.abc import Sequence
from typing import Any, NamedTuple

from arvel.kernel import app
from redis.asyncio import Redis

from app.worker.queue import Queue
from tests.worker.inside import run_until_empty, working
from tests.worker.workers import until


async def said(key: str) -> list[str]:
    async with Redis.from_url(os.environ["REDIS_URL"]) as redis:
        return [value.decode() for value in await redis.lrange(f"ran:{key}", 0, -1)]


async def queued() -> dict[str, int]:
    """How many messages lie on each queue that has any."""
    async with Redis.from_url(os.environ["REDIS_URL"]) as redis:
        lengths = {q: await redis.xlen(f"pillarbox:queue:{q}") for q in ("high", "default", "bulk")}
    return {label: length for label, length in lengths.items() if length}


class Delayed(NamedTuple):
    queue: str
    seconds: int
    """Until it comes due."""
    attempts: int


# Both times are whole seconds, the one rounded up, the other down.
WAITING = """
SELECT queue, greatest(0, available_at - created_at - 1) AS seconds, attempts FROM jobs ORDER BY id
"""


async def waiting() -> list[Delayed]:
    return [Delayed(**row) for row in await app().make("db").select(WAITING)]


async def bring_due() -> None:
    """Let the time of all delayed jobs have come."""
    await app().make("db").statement("UPDATE jobs SET available_at = 0")


async def letters() -> Sequence[Any]:
    return await app().make("db").select("SELECT * FROM failed_jobs ORDER BY failed_at")


async def work(queue: Queue, passes: int = 1) -> None:
    """Let a worker run all there is, and as often again what was delayed by that."""
    await run_until_empty(queue)
    for _ in range(passes - 1):
        await bring_due()
        await run_until_empty(queue)


async def work_until(queue: Queue, key: str, times: int = 1) -> None:
    """Let a worker run until ``times`` values were said for ``key``."""

    async def enough() -> bool:
        return len(await said(key)) >= times

    async with working(queue):
        await until(enough)
