"""Finds again what was dropped."""

from typing import cast, override

from arvel.kernel import app
from arvel.kernel.logging import LogManager
from arvel.queue import Job

from app.items.publish import Oldest
from app.items.sweep import sweep
from app.jobs.look_up import find


class SweepItems(Job):
    """Safe to run twice, and at the same time as anything else."""

    tries = 1

    @override
    async def handle(self) -> bool:
        """Whether anything was found."""
        oldest = cast("Oldest", app().make("queue.oldest"))
        found = await sweep(oldest, find)
        if any(found.values()):
            LogManager().channel("dispatch").info("swept", **found)
        return any(found.values())
