"""Emails with files that are done since some time, and what one can see of the files."""

import os
import time
from pathlib import Path
from typing import Any
from uuid import UUID

from app.items import file_store
from app.jobs.prune_attachments import PruneAttachments
from app.jobs.prune_history import PruneHistory
from app.models import statements
from app.models.queue_item import QueueItem
from tests.fakes.items import Put, put_attempt
from tests.feature.compose.given import email

DAY = 86_400


async def clean() -> bool:
    """One run of the job, as the ticker makes it."""
    return await PruneAttachments().handle()


async def prune() -> bool:
    return await PruneHistory().handle()


async def email_with(*contents: bytes, **changes: Any) -> QueueItem:
    """An item of an email with these files."""
    files = {f"{position}.txt": content for position, content in enumerate(contents)}
    [item] = await email(attachments=files, **changes)
    return item


async def finish(item: QueueItem | Put, ago: float = 0, state: str = "succeeded") -> None:
    """Let the item be done since so many seconds."""
    await statements.run(
        "UPDATE queue_items SET state = $2, error_kind = NULL, lease_until = NULL,"
        " finished_at = statement_timestamp() - $3::float8 * interval '1 s' WHERE id = $1",
        item.id,
        state,
        ago,
    )


async def bounce(item: QueueItem) -> None:
    """Let the provider take its success back, as a late bounce does."""
    attempt = UUID(int=item.id.int ^ 1)
    await put_attempt(item.id, attempt, number=1)
    await statements.run(
        "UPDATE queue_items SET state = 'errored', error_kind = 'reported', finished_at = NULL,"
        " attempt_id = $2, attempts = 1 WHERE id = $1",
        item.id,
        attempt,
    )


def stored() -> list[bytes]:
    """The contents that are on disk."""
    return sorted(path.read_bytes() for path in paths())


def paths() -> list[Path]:
    return sorted(path for path in (file_store.root() / "blobs").rglob("*") if path.is_file())


def age(path: Path, seconds: float) -> None:
    """Let a file have been written so many seconds ago."""
    when = time.time() - seconds
    os.utime(path, (when, when))


async def count(table: str) -> int:
    return int((await statements.run(f"SELECT count(*) AS n FROM {table}"))[0]["n"])


async def let_pass(seconds: float) -> None:
    """Let it be so long ago that anything was gone through as a whole."""
    await statements.run(
        "UPDATE ticks SET last_run = last_run - $1::float8 * interval '1 s'", seconds
    )
