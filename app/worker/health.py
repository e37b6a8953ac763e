"""Whether what Pillarbox needs is there: asked in time, and answered in one word for each."""

import asyncio
from pathlib import Path

from app.models.queries.gauges import applied_migrations
from app.worker.asked import Asked
from app.worker.publishing import Publishing

KEEP = 1.0
"""Seconds for which an answer is repeated: whoever asks more often asks nobody."""

UP, DOWN = "up", "down"
CRITICAL = ("postgresql", "migrations")
"""Without these no message can be taken; without the broker it is taken, and sent later."""


class Servers:
    """``migrations``: the folder of the code's migrations."""

    def __init__(self, queue: Publishing, migrations: Path) -> None:
        self._queue = queue
        self._needed = {file.stem for file in migrations.glob("[!_.]*.py")}
        self._database = Asked(self._count_missing, keep=KEEP)
        self._broker = Asked(self._ping, keep=KEEP)

    async def look(self) -> dict[str, str]:
        """``up`` or ``down`` for each; how many migrations are ``pending`` where some are."""
        missing, answers = await asyncio.gather(self._database.now(), self._broker.now())
        pending = f"{missing} pending" if missing else UP
        return {
            "postgresql": DOWN if missing is None else UP,
            "migrations": DOWN if missing is None else pending,
            self._name: UP if answers else DOWN,
        }

    @property
    def _name(self) -> str:
        return self._queue.broker.server if self._queue.on_broker else "valkey"

    async def _count_missing(self) -> int:
        return len(self._needed - await applied_migrations())

    async def _ping(self) -> bool:
        if self._queue.on_broker:
            await self._queue.broker.ping()
        return True
