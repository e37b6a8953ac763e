"""Keeping files: once for each content, and for as long as a message needs them.

What is missing is written before the message's transaction begins. Within it the rows of the files
are locked, so that clean-up, which locks before it asks, can't remove what is about to be needed.
"""

import asyncio
import uuid
from collections.abc import Sequence
from uuid import UUID

from app.items import file_store
from app.items.attachments import Files
from app.items.limits import too_big
from app.items.refusals import Problems
from app.items.uploads import Upload
from app.models.queries import files as queries
from app.models.queries.files import Blob, Link

ROUNDS = 3


class FilesContended(Exception):
    """Other messages stored and removed the same files all the while; compose it again."""

    def __init__(self) -> None:
        super().__init__(self.__doc__)


async def store_contents(uploads: Sequence[Upload]) -> dict[str, Blob]:
    """Write the contents that seem to be missing to the disk; called before a transaction."""
    if not uploads:
        return {}
    contents = {upload.sha256: upload.content for upload in uploads}
    present = await queries.find_present(sorted(contents))
    for digest, path in present.items():
        await asyncio.to_thread(file_store.restore, path, contents[digest])
    return {
        digest: await write_content(digest, content)
        for digest, content in contents.items()
        if digest not in present
    }


async def write_content(digest: str, content: bytes) -> Blob:
    blob = Blob(digest, file_store.new_path(digest), len(content))
    await asyncio.to_thread(file_store.write, blob.path, content)
    return blob


async def attach_files(email_id: UUID, files: Files, written: dict[str, Blob]) -> None:
    """Attach files to an email that the open transaction has written.

    Raises :class:`InvalidMessage` when an earlier file was cleaned away.
    """
    await keep_earlier(files)
    await keep_contents(files.uploads, written)
    fresh = [
        Link(
            id=uuid.uuid7(),
            sha256=upload.sha256,
            name=upload.name,
            content_type=upload.content_type,
            size=len(upload.content),
            content_id=upload.content_id,
        )
        for upload in files.uploads
    ]
    await queries.attach(email_id, [*fresh, *(Link(id=key) for key in files.earlier)])


async def keep_earlier(files: Files) -> None:
    if not files.earlier:
        return
    found = {row["id"]: row for row in await queries.keep_attachments(files.earlier)}
    problems = Problems()
    for position, key in enumerate(files.earlier):
        place = f"attachments.{position}"
        problems.require(key in found, place, "There is no such attachment.")
        present = key in found and found[key]["present"]
        problems.require(present, place, "Its file was cleaned away: attach the file again.")
    total = sum(row["size"] for row in found.values())
    problems.require(total <= files.room, "attachments", f"Are too big: {too_big()}")
    problems.raise_if_any()


async def keep_contents(uploads: Sequence[Upload], written: dict[str, Blob]) -> None:
    """Lock what is stored and store what isn't, until neither a rival nor clean-up interfered."""
    contents = {upload.sha256: upload.content for upload in uploads}
    missing = set(contents)
    for _ in range(ROUNDS if missing else 0):
        missing -= await queries.keep(sorted(missing))
        if not missing:
            return
        for digest in missing - written.keys():
            written[digest] = await write_content(digest, contents[digest])
        stored = await queries.store([written[digest] for digest in sorted(missing)])
        for digest in stored:
            del written[digest]
        missing -= stored
    if missing:
        raise FilesContended
