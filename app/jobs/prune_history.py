"""Deletes what has been done for long."""

from typing import override

from arvel.kernel.logging import LogManager
from arvel.queue import Job

from app.items import retention, retention_keys


class PruneHistory(Job):
    """Items by ``HISTORY_KEEP_DAYS``, bodies of events by ``RAW_EVENT_KEEP_DAYS``, keys of requests
    by ``API_IDEMPOTENCY_KEEP_HOURS``."""

    tries = 1
    timeout = 1800

    @override
    async def handle(self) -> bool:
        """Whether anything was deleted."""
        found = await retention.prune_history("prune_history")
        found["keys"] = await retention_keys.forget_keys()
        found["usage"] = await retention_keys.forget_usage()
        if any(found.values()):
            LogManager().channel("dispatch").info("history_pruned", **found)
        return any(found.values())
