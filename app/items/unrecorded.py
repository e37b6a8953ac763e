"""Outcomes that a worker knew and the database did not take: kept as files, read back later."""

import asyncio
import json
import sys
import time
from pathlib import Path
from typing import Any
from uuid import UUID

from arvel.kernel.logging import LogManager

from app.items import pause
from app.models.queries import record as queries
from app.models.queries.record import Entry
from app.models.statements import UNAVAILABLE
from app.settings import DispatchSettings, RetentionSettings

DAY = 86_400.0
TEXT = "Recorded later: the database was away when the provider's answer came."
KEPT = (
    "outcome",
    "transition",
    "actor",
    "code",
    "message_id",
    "may_have_been_sent",
    "error_kind",
    "delay",
    "said",
    "window",
)
"""What a file holds beside the ids: never the provider's text, which quotes addresses."""


REFUSED, LOST, PRUNED = ".refused", ".lost", ".pruned"
"""What a file is put aside as: the database refuses it, has lost its attempt, or forgot its item
as ``HISTORY_KEEP_DAYS`` says."""


def keep(entry: Entry) -> None:
    """Write an outcome as one line to stderr and to a file of its own."""
    line = json.dumps({**_facts(entry), "at": time.time()})
    print(f"unrecorded outcome {line}", file=sys.stderr, flush=True)
    folder = _folder()
    folder.mkdir(parents=True, exist_ok=True)
    written = folder / f"{entry.attempt_id}.tmp"
    written.write_text(line + "\n")
    written.rename(folder / f"{entry.attempt_id}.json")


async def read_back() -> int:
    """Record what is kept, and forget what is recorded; how many were."""
    recorded = 0
    for file in await asyncio.to_thread(waiting):
        recorded += await _read_one(file)
    return recorded


async def _read_one(file: Path) -> bool:
    try:
        facts = json.loads(await asyncio.to_thread(file.read_text))
        entry, written = _entry(facts), float(facts["at"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        _log("unrecorded_unreadable", file, error=type(error).__name__)
        return False
    try:
        row = await queries.record(entry)
    except UNAVAILABLE:
        return False
    except Exception as error:
        await asyncio.to_thread(file.rename, file.with_suffix(REFUSED))
        _log("unrecorded_refused", file, error=type(error).__name__)
        return False
    if row is None and _may_be_pruned(written):
        await asyncio.to_thread(file.rename, file.with_suffix(PRUNED))
        _log("unrecorded_pruned", file)
        return False
    if row is None or not row["known"]:
        await pause.pause_all(pause.LOST_COMMITS)
        await asyncio.to_thread(file.rename, file.with_suffix(LOST))
        return False
    await asyncio.to_thread(file.unlink, missing_ok=True)
    _log("unrecorded_read_back", file)
    return True


def waiting() -> list[Path]:
    """The files that are not read back yet."""
    return sorted(_folder().glob("*.json"))


def _may_be_pruned(written: float) -> bool:
    """Whether an item that had an attempt so long ago may be gone because it was done for long."""
    days = RetentionSettings().history_keep_days
    return days is not None and time.time() - written > days * DAY


def _facts(entry: Entry) -> dict[str, Any]:
    ids = {"item_id": str(entry.item_id), "attempt_id": str(entry.attempt_id)}
    return ids | {name: getattr(entry, name) for name in KEPT}


def _entry(facts: dict[str, Any]) -> Entry:
    ids = {name: UUID(facts[name]) for name in ("item_id", "attempt_id")}
    kept = {name: facts[name] for name in KEPT}
    return Entry(**ids, **kept, text=TEXT)


def _folder() -> Path:
    return Path(DispatchSettings().storage) / "unrecorded"


def _log(action: str, file: Path, **facts: str) -> None:
    LogManager().channel("dispatch").warning(action, attempt_id=file.stem, **facts)
