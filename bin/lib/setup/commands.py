"""Runs other programs; what they print goes to the log."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import places

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


LINES = 3


class Failed(Exception):
    """A program ended with an error; the text is the end of what it printed."""


def run(
    command: Sequence[str | Path],
    *,
    settings: Mapping[str, str] | None = None,
    folder: Path = places.ROOT,
) -> str:
    """Run a program and return what it printed on its standard output."""
    places.TOOLS.mkdir(exist_ok=True)
    words = [str(word) for word in command]
    try:
        done = subprocess.run(
            words,
            cwd=folder,
            env={**os.environ, **(settings or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError as error:
        raise Failed(f"{words[0]}: {error}") from error
    _log(words, done.stdout + done.stderr)
    if done.returncode != 0:
        raise Failed(f"{words[0]} failed: {_end_of(done.stderr or done.stdout)}")
    return done.stdout


def works(command: Sequence[str | Path]) -> bool:
    """Whether the program runs and is content."""
    try:
        run(command)
    except Failed:
        return False
    return True


def _end_of(output: str) -> str:
    return " / ".join(output.strip().splitlines()[-LINES:])


def _log(words: list[str], output: str) -> None:
    with places.LOG.open("a") as log:
        log.write(f"$ {' '.join(words)}\n{output}\n")
