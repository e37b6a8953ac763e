"""Prepared PostgreSQL data, made once and copied for every run that starts empty."""

import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from local import folders, programs
from local.postgres import Postgres

KEEP = 3


@dataclass(frozen=True)
class Seed:
    """What fills an empty database, given its address, and a digest of all that this depends on."""

    digest: str
    fill: Callable[[str], None]


def nothing(_url: str) -> None:
    """Leave the database empty."""


EMPTY = Seed("empty", nothing)


def copy_into(folder: Path, seed: Seed) -> None:
    """Put prepared data into a folder, making it first where nobody has."""
    with folders.waiting_for("seeds") as seeds:
        source = seeds / f"{seed.digest}-{programs.postgres_version()}"
        if not (source / "seeded").exists():
            _forget_all_but_newest(seeds)
            _make(source, seed)
        _copy(source, folder)


def _copy(source: Path, target: Path) -> None:
    partial = target.with_name(f"{target.name}.partial")
    for old in (partial, target):
        folders.discard(old)
    # With owners: the files must belong to the account of the server.
    subprocess.run(["cp", "-a", str(source), str(partial)], check=True)
    partial.rename(target)


def _make(folder: Path, seed: Seed) -> None:
    folders.discard(folder)
    folder.mkdir()
    server = Postgres(folder, durable=False)
    server.create()
    server.start()
    try:
        seed.fill(server.url)
    finally:
        server.stop()
    (folder / "seeded").touch()


def _forget_all_but_newest(seeds: Path) -> None:
    made = sorted(seeds.glob("*/seeded"), key=lambda path: path.stat().st_mtime)
    for old in made[: 1 - KEEP]:
        folders.discard(old.parent)
