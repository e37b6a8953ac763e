"""Remembers what was installed, so that a second run has nothing to do."""

from __future__ import annotations

import hashlib
import os
import platform

import places
import system

STAMP = places.TOOLS / "installed"


def is_current() -> bool:
    """Whether the last complete run installed exactly what is locked now, here."""
    try:
        return STAMP.read_text() == _wanted() and os.access(places.VENV / "bin/python", os.X_OK)
    except OSError:
        return False


def remove() -> None:
    """Before changing anything: an interrupted run must not look complete."""
    if STAMP.exists():
        STAMP.unlink()


def write() -> None:
    STAMP.write_text(_wanted())


def _wanted() -> str:
    # Environments hold absolute paths, so a moved repository is set up again.
    digest = hashlib.sha256((places.ROOT / "uv.lock").read_bytes()).hexdigest()
    programs = ",".join(sorted(system.PACKAGES))
    return f"{digest} {platform.machine()} {places.ROOT} {programs}\n"
