"""The folder that all processes share, and what the database has not taken yet."""

import os
import shutil
from pathlib import Path
from uuid import UUID

from app.doctor.finding import Finding, ok, warning, wrong
from app.doctor.items import spell
from app.doctor.postgres import Database
from app.doctor.subject import Subject
from app.items.unrecorded import LOST, REFUSED

CHECK = "storage"
SMALL = 100_000_000
"""Bytes below which a disk is nearly full."""


def storage(subject: Subject) -> list[Finding]:
    if not subject.readings.have("STORAGE_PATH"):
        return []
    return [_judge_folder(subject.storage), *_judge_unrecorded(subject.storage / "unrecorded")]


def _judge_folder(folder: Path) -> Finding:
    """Asks, and writes nothing: a look must leave nothing behind."""
    nearest = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not (nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK)):
        return wrong(
            CHECK,
            "STORAGE_PATH names a folder that this user can't write to.",
            "Let the user that runs Pillarbox own it; run the doctor as that user.",
        )
    if shutil.disk_usage(nearest).free < SMALL:
        return warning(CHECK, "The disk is nearly full.", "Make room, or move STORAGE_PATH.")
    return ok(CHECK, "The folder can be written to.")


def _judge_unrecorded(folder: Path) -> list[Finding]:
    check = f"{CHECK} unrecorded"
    waiting, refused = _files(folder, "*.json"), _files(folder, f"*{REFUSED}")
    findings = [ok(check, "No outcome waits to be recorded.")] if not waiting + refused else []
    if waiting:
        text = f"{len(waiting)} outcomes are known here and not to the database: {_some(waiting)}."
        remedy = "Start a worker: it reads them back. Until then don't retry these attempts."
        findings.append(warning(check, text, remedy))
    if refused:
        text = f"{len(refused)} outcomes were refused by the database: {_some(refused)}."
        remedy = (
            "Each file holds what the provider said: settle its item by hand, then remove the"
            f" file, whose name ends in {REFUSED}."
        )
        findings.append(warning(check, text, remedy))
    return findings


def _files(folder: Path, pattern: str) -> list[Path]:
    try:
        return sorted(folder.glob(pattern))
    except OSError:
        return []


def _some(files: list[Path]) -> str:
    named = ", ".join(file.stem for file in files[:3])
    return f"{named} …" if len(files) > 3 else named


LOST_COMMITS = "lost commits"
CAUSE = "Find out which backup or replica is in use."


async def lost_commits(database: Database, subject: Subject) -> list[Finding]:
    """Attempts that were acknowledged as begun, and that PostgreSQL did not keep."""
    findings = [*await _gone(database, subject), *await _recovered(database)]
    return findings or [ok(LOST_COMMITS, "The database has every attempt that is known here.")]


async def _gone(database: Database, subject: Subject) -> list[Finding]:
    """Those whose outcomes are kept in files."""
    folder = subject.storage / "unrecorded"
    files = [*_files(folder, "*.json"), *_files(folder, f"*{LOST}")]
    attempts = {attempt for file in files if (attempt := _attempt(file))}
    rows = await database.fetch("SELECT id FROM attempts WHERE id = ANY ($1)", list(attempts))
    if len(rows) == len(attempts):
        return []
    text = f"The database has lost {len(attempts) - len(rows)} attempts that it acknowledged."
    remedy = (
        f"Pause all channels (`arvel dispatch:pause`). {CAUSE} Then remove the files of these"
        f" attempts ({folder.name}/*{LOST})."
    )
    return [wrong(LOST_COMMITS, text, remedy)]


RECOVERED = """
SELECT count(*) AS count,
    EXTRACT(epoch FROM statement_timestamp() - max(started_at))::float8 AS age,
    EXISTS (SELECT FROM channels WHERE paused_until = 'infinity') AS paused
FROM attempts WHERE recovered
"""


async def _recovered(database: Database) -> list[Finding]:
    """Those that came to be known again by a report of their provider."""
    row = await database.fetchrow(RECOVERED)
    if not row["count"]:
        return []
    text = (
        f"{row['count']} attempts were known to a provider and no more to the database, the last"
        f" {spell(row['age'])} ago."
    )
    if row["paused"]:
        remedy = f"{CAUSE} Then resume the channels: `arvel dispatch:resume --all`."
        return [wrong(LOST_COMMITS, text, remedy)]
    return [warning(LOST_COMMITS, text, f"{CAUSE} It may have lost more than these.")]


def _attempt(file: Path) -> UUID | None:
    try:
        return UUID(file.stem)
    except ValueError:
        return None
