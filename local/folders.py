"""Where local services keep their data, and who uses a folder at the moment.

Everything lies in `storage/local-<user id>/`, so that root and an ordinary user who share one
repository never meet. A folder belongs to the process that holds the lock on its `lock` file.
"""

import contextlib
import fcntl
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from local import keeper

BASE = Path(__file__).resolve().parent.parent / "storage" / f"local-{os.geteuid()}"
SERVERS = ("postgres", "valkey", "rabbitmq")
PASSING = "passing-"


class InUse(RuntimeError):
    """Another process uses the data of this name."""


@contextlib.contextmanager
def kept(name: str) -> Iterator[Path]:
    """The folder of this name with what earlier runs left in it.

    Raises:
        InUse: while another process holds it.
    """
    folder = _create(BASE / name)
    with _locked(folder) as free:
        if not free:
            raise InUse(f"{name!r} is already running here; stop it first ({folder})")
        stop_leftovers(folder)
        yield folder


@contextlib.contextmanager
def passing() -> Iterator[Path]:
    """A new folder, removed at the end; what killed processes left is removed as well."""
    with contextlib.ExitStack() as mine:
        # A folder that exists and isn't locked yet would look left behind to somebody else.
        with waiting_for("cleaning"):
            for old in BASE.glob(f"{PASSING}*"):
                _remove_if_left(old)
            folder = _create(BASE / f"{PASSING}{os.getpid()}-{os.urandom(3).hex()}")
            mine.enter_context(_locked(folder))
        try:
            yield folder
        finally:
            discard(folder)


@contextlib.contextmanager
def waiting_for(name: str) -> Iterator[Path]:
    """The folder of this name, as soon as nobody else uses it."""
    folder = _create(BASE / name)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder


def discard(folder: Path) -> None:
    """Remove a folder that nothing uses, or do nothing where there is none."""
    shutil.rmtree(folder, ignore_errors=True)


def stop_leftovers(folder: Path) -> None:
    """End servers that outlived the process that started them."""
    for server in SERVERS:
        keeper.end(folder / server)


def _create(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[bool]:
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


def _remove_if_left(folder: Path) -> None:
    with contextlib.suppress(FileNotFoundError), _locked(folder) as free:
        if free:
            stop_leftovers(folder)
            discard(folder)
