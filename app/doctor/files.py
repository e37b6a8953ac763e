"""The folder that all processes share, and what the database has not taken yet."""

import os
import shutil
from pathlib import Path
from uuid import UUID

from app.doctor.finding import Finding, ok, warning, wrong
from app.doctor.postgres import Database
from app.doctor.subject import Subject

CHECK = "storage"
SMALL = 100_000_000
"""Bytes below which a disk is nearly full."""


def storage(subject: Subject) -> list[Finding]:
    if not subject.readings.have("STORAGE_PATH"):
        return []
    return [_judge_folder(subject.storage), _judge_unrecorded(subject.storage / "unrecorded")]


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


def _judge_unrecorded(folder: Path) -> Finding:
    check = f"{CHECK} unrecorded"
    try:
        files = list(folder.glob("*.json"))
    except OSError:
        files = []
    if not files:
        return ok(check, "No outcome waits to be recorded.")
    return warning(
        check,
        f"{len(files)} outcomes are known here and not to the database: {_some(files)}.",
        "Start a worker: it reads them back. Until then don't retry these attempts.",
    )


def _some(files: list[Path]) -> str:
    named = ", ".join(sorted(file.stem for file in files)[:3])
    return f"{named} …" if len(files) > 3 else named


async def lost_commits(database: Database, subject: Subject) -> list[Finding]:
    """An attempt that was acknowledged as begun, and that PostgreSQL does not have any more."""
    check = "lost commits"
    attempts = [a for a in map(_attempt, (subject.storage / "unrecorded").glob("*.json")) if a]
    rows = await database.fetch("SELECT id FROM attempts WHERE id = ANY ($1)", attempts)
    if len(rows) == len(attempts):
        return [ok(check, "The database has every attempt that is known here.")]
    return [
        wrong(
            check,
            f"The database has lost {len(attempts) - len(rows)} attempts that it acknowledged.",
            "Pause all channels (`arvel dispatch:pause`), and find out which backup or replica is"
            " in use.",
        )
    ]


def _attempt(file: Path) -> UUID | None:
    try:
        return UUID(file.stem)
    except ValueError:
        return None
