"""Removes files of attachments that no message needs any more."""

from typing import override

from arvel.kernel.logging import LogManager
from arvel.queue import Job

from app.items import retention


class PruneAttachments(Job):
    """As ``MAX_FILES_AGE_IN_SECONDS`` says; without it nothing is removed."""

    tries = 1
    timeout = 1800

    @override
    async def handle(self) -> bool:
        """Whether anything was removed."""
        removed = await retention.clean_files("prune_attachments")
        if removed:
            LogManager().channel("dispatch").info("files_removed", files=removed)
        return removed > 0
