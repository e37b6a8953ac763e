"""The virtual environment with exactly what uv.lock names, each file checked by its hash."""

from __future__ import annotations

from typing import TYPE_CHECKING

import index
import places
from commands import run, works
from progress import step

if TYPE_CHECKING:
    from pathlib import Path

EXPORT = (
    *("export", "--frozen", "--all-groups", "--all-extras"),
    *("--no-emit-project", "--no-header", "--no-annotate"),
)


def has_environment() -> bool:
    """Whether `.venv` is there and its Python runs and is the right one."""
    version = "import sys; sys.exit(sys.version_info[:2] != (3, 14))"
    return works([places.VENV / "bin/python", "-c", version])


def make_environment(uv: Path, python: Path) -> None:
    """Make `.venv` anew, empty."""
    run([uv, "venv", "--quiet", "--clear", "--python", python, places.VENV])


def install(uv: Path) -> None:
    """Bring `.venv` to what is locked, from the index that this machine is configured for.

    Raises:
        Failed: the index cannot be reached, or offers other files than those locked.
    """
    requirements = places.TOOLS / "requirements.txt"
    requirements.write_text(run([uv, *EXPORT]))
    count = sum(1 for line in requirements.read_text().splitlines() if "==" in line)
    with step(f"Installing {count} packages"):
        run(
            [uv, "pip", "sync", "--require-hashes", requirements],
            settings={**index.settings(), "VIRTUAL_ENV": str(places.VENV)},
        )
