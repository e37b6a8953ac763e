"""Runs workers inside the test's own process, where nothing has to be killed."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from app.worker.identity import default_id
from app.worker.options import Options, labels_of
from app.worker.pace import Pace
from app.worker.queue import Queue
from tests.fakes.waiting import patience
from tests.worker.workers import PACE


async def run_until_empty(queue: Queue, labels: Sequence[str] = (), **options: Any) -> None:
    """Let a worker run whatever the queues hold."""
    async with asyncio.timeout(patience(30)):
        await _serve(queue, asyncio.Event(), labels, stop_when_empty=True, **options)


@asynccontextmanager
async def working(
    queue: Queue, *, workers: int = 1, pace: dict[str, float] | None = None, **options: Any
) -> AsyncGenerator[asyncio.Event]:
    """Workers as long as the block runs; the event stops them."""
    stop = asyncio.Event()
    queue.pace = Pace(**PACE | (pace or {}))
    names = [f"{default_id()}-{number}" for number in range(workers)]
    running = [
        asyncio.create_task(_serve(queue, stop, worker_id=name, **options)) for name in names
    ]
    try:
        yield stop
    finally:
        stop.set()
        await asyncio.gather(*running)


async def _serve(
    queue: Queue, stop: asyncio.Event, labels: Sequence[str] = (), **options: Any
) -> None:
    queue.ticks = []
    await queue.serve(Options(labels_of(labels), **options), stop, asyncio.Event())
