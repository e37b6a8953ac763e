"""A worker with nothing to do leaves its servers in peace."""

import asyncio
import time
from collections.abc import Sequence
from typing import Any

import pytest

from app.models.statements import Row, Statements
from app.worker.options import Options
from app.worker.queue import Queue

STARTED = 5.0
"""Seconds after which everything has been looked at once."""
WATCHED = 30.0
"""Seconds in which all that is looked at more than once a minute comes round."""


async def test_a_worker_at_rest_asks_the_database_less_than_once_a_second(
    application: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[float] = []
    run = Statements.run

    async def counted(self: Statements, sql: str, *args: Any, **options: Any) -> Sequence[Row]:
        asked.append(time.monotonic())
        return await run(self, sql, *args, **options)

    monkeypatch.setattr(Statements, "run", counted)
    queue: Queue = application.make("queue")
    stop = asyncio.Event()
    working = asyncio.create_task(queue.serve(Options(), stop, asyncio.Event()))
    await asyncio.sleep(STARTED)
    since = time.monotonic()
    await asyncio.sleep(WATCHED)
    stop.set()
    await working
    assert 0 < sum(at > since for at in asked) < WATCHED
