"""Deletes what has been done for long."""

from typing import override

from arvel.kernel.logging import LogManager
from arvel.queue import Job

from app.items import retention


class PruneHistory(Job):
    """Items by ``HISTORY_KEEP_DAYS``, bodies of events by ``RAW_EVENT_KEEP_DAYS``."""

    tries = 1
    timeout = 1800

    @override
    async def handle(self) -> bool:
        """Whether anything was deleted."""
        found = await retention.prune_history("prune_history")
        if any(found.values()):
            LogManager().channel("dispatch").info("history_pruned", **found)
        return any(found.values())
