"""Files that no row names: of transactions that were rolled back, and of processes that died.

Only files that are named as :mod:`app.items.file_store` names them are touched, and only a day
after they were written: a message that is composed writes its files before it commits their rows.
"""

import asyncio
import os
import re
import time
from collections.abc import Iterator
from itertools import batched
from pathlib import Path

from app.items import file_store
from app.items.retention_files import delete_files
from app.items.retention_pace import PAGE, PAUSE
from app.models.queries import clean_files as queries

AGE = 86_400.0
"""Seconds; far more than any transaction lasts."""

NAME = re.compile(r"([0-9a-f]{64})-[0-9a-f]{32}(?:\.[0-9a-f]{32}\.new)?")


async def remove_leftovers() -> int:
    """Remove what is older than a day and belongs to nothing; how many files there were."""
    total = 0
    for folder in await asyncio.to_thread(list_folders):
        for paths in batched(await asyncio.to_thread(list_old, folder), PAGE, strict=False):
            total += await remove_unnamed(paths)
            await asyncio.sleep(PAUSE)
    return total


async def remove_unnamed(paths: tuple[str, ...]) -> int:
    named = await queries.find_paths(sorted({digest_in(path) for path in paths}))
    unnamed = [path for path in paths if path not in named]
    await delete_files(unnamed)
    return len(unnamed)


def list_folders() -> list[Path]:
    try:
        return sorted(path for path in (file_store.root() / "blobs").iterdir() if path.is_dir())
    except FileNotFoundError:
        return []


def list_old(folder: Path) -> list[str]:
    """Paths of old files of ours, relative to the storage folder as rows name them."""
    before = time.time() - AGE
    with os.scandir(folder) as entries:
        return [f"blobs/{folder.name}/{entry.name}" for entry in find_old(entries, before)]


def find_old(entries: Iterator[os.DirEntry[str]], before: float) -> Iterator[os.DirEntry[str]]:
    for entry in entries:
        if NAME.fullmatch(entry.name) and is_older(entry, before):
            yield entry


def is_older(entry: os.DirEntry[str], before: float) -> bool:
    try:
        return entry.is_file(follow_symlinks=False) and (
            entry.stat(follow_symlinks=False).st_mtime < before
        )
    except FileNotFoundError:
        return False


def digest_in(path: str) -> str:
    return path.rpartition("/")[2][:64]
