"""Files of messages: what a caller may attach, and what a transport gets."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast
from uuid import UUID

from app.items import file_store
from app.items.limits import SizeSettings, too_big
from app.items.refusals import Problems
from app.items.uploads import MOST, Content, Inline, Upload, read_uploads
from app.models.attachment import Attachment
from app.transports.contract import File

type Attachments = Mapping[str, Content | Inline] | Sequence[Attachment | UUID]
"""New files by the names they are sent under, or files of earlier messages."""

FORM = (
    "Must map names to files (bytes, a pathlib.Path, an open binary file, or Inline), or list"
    " attachments that are stored already."
)


@dataclass(frozen=True, slots=True)
class Files:
    """What is attached to a message; ``room`` is how many bytes the earlier files may have."""

    uploads: Sequence[Upload] = ()
    earlier: Sequence[UUID] = ()
    room: int = 0

    def __bool__(self) -> bool:
        return bool(self.uploads or self.earlier)


async def check_attachments(given: object, texts: int, problems: Problems) -> Files:
    """The files to attach to a message whose texts have ``texts`` bytes."""
    room = SizeSettings().max_message_bytes - texts
    if room < 0:
        problems.add("text", f"Is too big: {too_big()}")
    if not given or room < 0:
        return Files()
    if isinstance(given, Mapping):
        named = cast("Mapping[object, object]", given)
        return Files(uploads=await asyncio.to_thread(read_uploads, named, room, problems))
    return Files(earlier=list_earlier(given, problems), room=room)


def list_earlier(given: object, problems: Problems) -> list[UUID]:
    if not isinstance(given, list | tuple):
        problems.add("attachments", FORM)
        return []
    rows = cast("Sequence[object]", given)
    keys = [row.id if isinstance(row, Attachment) else row for row in rows]
    for position, key in enumerate(keys):
        problems.require(isinstance(key, UUID), f"attachments.{position}", FORM)
    problems.require(len(keys) <= MOST, "attachments", f"Must be at most {MOST} files.")
    return list(dict.fromkeys(key for key in keys if isinstance(key, UUID)))


async def load_files(rows: Sequence[Sequence[Any]]) -> tuple[File, ...]:
    """The files of a message that is about to be sent, from the rows that its claim returned.

    Each row is name, content type, path and content id. Raises
    :class:`~app.items.file_store.FileMissing`.
    """
    if not rows:
        return ()
    return await asyncio.to_thread(read_files, rows)


def read_files(rows: Sequence[Sequence[Any]]) -> tuple[File, ...]:
    return tuple(
        File(name, content_type, file_store.read(path), content_id)
        for name, content_type, path, content_id in rows
    )
