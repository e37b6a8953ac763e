"""Where the content of attachments lies on disk: once for each content, never under a user's name.

A path holds the content's digest and a generation, so that a file which is being cleaned away and
one which is stored anew at that moment are never the same file.
"""

import contextlib
import hashlib
import os
import uuid
from pathlib import Path

from arvel.kernel import app

from app.settings import DispatchSettings


class FileMissing(Exception):
    """The content of an attachment is not in the storage: it was cleaned away, or lost."""

    def __init__(self, path: str) -> None:
        super().__init__(
            f"The file {Path(path).name} of an attachment is not in the storage. Compose the"
            " message again with the file, or bring the storage back and retry."
        )


def root() -> Path:
    """The storage folder; a relative one lies in the application's folder."""
    return Path(app().base_path) / DispatchSettings().storage


def digest_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def new_path(sha256: str) -> str:
    """A path of a new generation, relative to the storage folder."""
    return f"blobs/{sha256[:2]}/{sha256}-{uuid.uuid7().hex}"


def write(path: str, content: bytes) -> None:
    """Store content so that it is there whole, or not at all, also after a power cut."""
    target = root() / path
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = target.with_name(f"{target.name}.{uuid.uuid4().hex}.new")
    try:
        with unfinished.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(target)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
    sync_folder(target.parent)


def restore(path: str, content: bytes) -> None:
    """Store content again whose file was lost, so that composing anew mends what lost it."""
    if not (root() / path).exists():
        write(path, content)


def sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read(path: str) -> bytes:
    """Raises :class:`FileMissing`."""
    try:
        return (root() / path).read_bytes()
    except FileNotFoundError:
        raise FileMissing(path) from None


def remove(path: str) -> None:
    """Remove a file; what can't be removed now is swept by its age later."""
    with contextlib.suppress(OSError):
        (root() / path).unlink()
