"""Gets PostgreSQL, Redis and PgBouncer from the system's packages, for `LOCAL_SERVICES=system`."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from local import programs

PACKAGES: dict[str, Callable[[], Path]] = {
    "postgresql": lambda: programs.postgres("postgres"),
    "redis-server": programs.valkey,
    "pgbouncer": programs.pgbouncer,
}


def main() -> int:
    os.environ[programs.VARIABLE] = programs.SYSTEM
    missing = [package for package, program in PACKAGES.items() if not _is_here(program)]
    trouble = _get(missing) if missing else ""
    print(trouble or f"On {', '.join(_versions())}.", file=sys.stderr)
    return 1 if trouble else 0


def _is_here(program: Callable[[], Path]) -> bool:
    try:
        return bool(program())
    except programs.NotInstalled:
        return False


def _get(packages: Sequence[str]) -> str:
    """What is wrong, if anything is."""
    names = " ".join(packages)
    if shutil.which("apt-get") is None:
        return f"This system has no apt-get; install what it calls {names}."
    if os.geteuid() != 0:
        return f"Only root can install packages: sudo apt-get install {names}, then again."
    print(f"Installing {names} …", file=sys.stderr)
    for words in (("update",), ("install", "--no-install-recommends", *packages)):
        done = _apt(*words)
        if done.returncode != 0:
            return f"apt-get {words[0]} failed: {done.stderr[-2000:]}"
    return ""


def _apt(*words: str) -> subprocess.CompletedProcess[str]:
    # Their programs are wanted, not the services that packages start by themselves.
    alone = {"DEBIAN_FRONTEND": "noninteractive", "SYSTEMD_OFFLINE": "1"}
    return subprocess.run(
        ["apt-get", "-q", "-y", *words],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **alone},
    )


def _versions() -> list[str]:
    return [programs.version(program()) for program in PACKAGES.values()]


if __name__ == "__main__":
    sys.exit(main())
