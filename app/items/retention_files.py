"""Removing the files of attachments that no message needs any more; their rows stay.

Whoever needs a file holds a shared lock on its row until that is committed
(:mod:`app.items.keeping`). Here the row is locked exclusively, then it is asked whether anything
needs the file, ``removed_at`` is committed, and only then the file goes. A crash in between leaves
a file that no row names, which is swept by its age (:mod:`app.items.retention_leftovers`).
"""

import asyncio
from collections.abc import Iterable, Sequence

from arvel.kernel import app

from app.items import file_store
from app.items.retention_pace import PAGE, walk
from app.models.queries import clean_files as queries
from app.models.queries.clean_files import Present


async def clean_finished(age: float, window: float) -> int:
    """Remove files whose last item came of ``age`` seconds within the last ``window`` seconds."""
    total = 0
    while digests := await queries.find_finished(age, window, PAGE):
        removed = await remove_idle(digests, age)
        total += removed
        if removed < len(digests):
            break  # somebody holds the others: whoever it is may need them
    return total


async def clean_all(age: float) -> int:
    """Remove all files that no item needs, or has needed for ``age`` seconds."""
    total = 0

    async def read(after: str, limit: int) -> Sequence[Present]:
        return await queries.list_present(after, age, limit)

    async for page in walk("", read):
        total += await remove_idle([content.sha256 for content in page if content.idle], age)
    return total


async def remove_idle(digests: Sequence[str], age: float) -> int:
    """Remove those of the files that nobody holds or needs; how many there were."""
    if not digests:
        return 0
    async with app().make("db").transaction():
        locked = await queries.lock(digests)
        paths = await queries.mark_removed(locked, age) if locked else []
    await delete_files(paths)
    return len(paths)


async def delete_files(paths: Iterable[str]) -> None:
    """Delete files that no row names; those that are gone already are no matter."""
    await asyncio.to_thread(lambda: [file_store.remove(path) for path in paths])
