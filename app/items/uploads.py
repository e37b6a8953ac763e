"""Reading what a caller attaches: bytes, a path, or an open file, each under the name given."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import BinaryIO, Protocol, cast, runtime_checkable

from app.items import file_store
from app.items.file_types import check_type, detect_type
from app.items.limits import too_big
from app.items.refusals import Problems, Refused
from app.items.texts import check_file_name
from app.transports.email.files import CONTENT_ID

MOST = 50

type Content = bytes | Path | BinaryIO


@dataclass(frozen=True, slots=True)
class Inline:
    """A file within the HTML, which shows it by ``cid:<content_id>`` (RFC 2392).

    Without a content id it is an attachment, of the content type that is given.
    """

    content: Content
    content_id: str | None
    content_type: str | None = None


@dataclass(frozen=True, slots=True)
class Upload:
    name: str
    content: bytes = field(repr=False)
    content_type: str
    content_id: str | None
    sha256: str


@runtime_checkable
class Readable(Protocol):
    def read(self, size: int, /) -> object: ...


def read_uploads(given: Mapping[object, object], room: int, problems: Problems) -> list[Upload]:
    """The files of a mapping from name to content, together of at most ``room`` bytes.

    Blocks while it reads. What can't be attached is noted in ``problems``.
    """
    if len(given) > MOST:
        problems.add("attachments", f"Must be at most {MOST} files.")
        return []
    uploads: list[Upload] = []
    for position, (name, content) in enumerate(given.items()):
        place = f"attachments.{name if is_file_name(name) else position}"
        left = room - sum(len(upload.content) for upload in uploads)
        upload = problems.accept(place, partial(read_upload, name=name, room=left), content, None)
        if upload is not None:
            uploads.append(upload)
    require_distinct_ids(uploads, problems)
    return uploads


def read_upload(given: object, *, name: object, room: int) -> Upload | None:
    shown = check_file_name(name)
    inline = given if isinstance(given, Inline) else Inline(cast("Content", given), None)
    content = read_content(inline.content, room)
    return Upload(
        name=shown,
        content=content,
        content_type=choose_type(inline.content_type, shown, content),
        content_id=None if inline.content_id is None else check_content_id(inline.content_id),
        sha256=file_store.digest_of(content),
    )


def read_content(value: object, room: int) -> bytes:
    """At most ``room`` bytes are ever read, and one more to see that there were more."""
    if isinstance(value, Path):
        content = read_path(value, room)
    elif isinstance(value, bytes | bytearray):
        content = bytes(value)
    elif isinstance(value, Readable):
        content = read_open(value, room)
    else:
        raise Refused("Must be bytes, a pathlib.Path, a file opened in binary mode, or Inline.")
    if not isinstance(content, bytes):
        raise Refused("Must be a file opened in binary mode.")
    if len(content) > room:
        raise Refused("Is too big: " + too_big())
    return content


def read_open(file: Readable, room: int) -> object:
    try:
        return file.read(room + 1)
    except (OSError, ValueError) as error:
        raise Refused(f"Can't be read ({type(error).__name__}): is the file still open?") from None


def read_path(path: Path, room: int) -> bytes:
    if path.exists() and not (path.is_file() or path.is_dir()):
        # A device or a pipe may never come to an end.
        raise Refused("Must be a file.")
    try:
        with path.open("rb") as file:
            return file.read(room + 1)
    except OSError as error:
        raise Refused(f"Can't be read: {os.strerror(error.errno or 0)}.") from None


def choose_type(given: object, name: str, content: bytes) -> str:
    return detect_type(name, content) if given is None else check_type(given)


def check_content_id(value: object) -> str:
    """The id as the HTML names it; kept as it is, so nothing of this machine gets into it."""
    if not isinstance(value, str) or not CONTENT_ID.fullmatch(value):
        raise Refused("The content id must be of the form logo@example, without angle brackets.")
    return value


def require_distinct_ids(uploads: list[Upload], problems: Problems) -> None:
    seen = set[str]()
    for upload in uploads:
        if upload.content_id in seen:
            problems.add(f"attachments.{upload.name}", "The content id is given twice.")
        seen.update([upload.content_id] if upload.content_id else [])


def is_file_name(name: object) -> bool:
    try:
        return check_file_name(name) == name
    except Refused:
        return False
