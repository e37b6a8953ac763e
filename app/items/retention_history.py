"""Pruning what has been done for long: items with all that happened to them, and their content.

Never an item that is not done, and never one that somebody is at: what is locked is left for the
next run. Items go before attempts, attempts before events, content and files last.
"""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from uuid import UUID

from arvel.kernel import app

from app.items.retention_files import delete_files
from app.items.retention_pace import PAGE, repeat, walk
from app.models.queries import prune, prune_content, prune_operations
from app.models.queries import prune_events as reports

FIRST = UUID(int=0)

type DropContent = Callable[[Sequence[UUID]], Awaitable[list[str]]]
"""Deletes locked content that is used no more; paths of files that may be deleted afterwards."""


async def prune_items(days: float) -> int:
    """Delete items that were done ``days`` ago; how many there were."""
    emails = await repeat(partial(prune_page, prune.LOCK_EMAILS, drop_emails, days))
    return emails + await repeat(partial(prune_page, prune.LOCK_SMS, drop_sms, days))


async def prune_page(lock: str, drop_content: DropContent, days: float) -> int:
    async with app().make("db").transaction():
        old = await prune.lock_old(lock, days, PAGE)
        if not old:
            return 0
        await prune.drop_items([item.id for item in old])
        paths = await drop_content(sorted({item.content for item in old}))
    await delete_files(paths)
    return len(old)


async def drop_sms(locked: Sequence[UUID]) -> list[str]:
    await prune_content.drop_sms(locked)
    return []


async def drop_emails(locked: Sequence[UUID]) -> list[str]:
    return await drop_attachments(await prune_content.drop_emails(locked))


async def drop_attachments(ids: Sequence[UUID]) -> list[str]:
    """Delete those that are in no email, with the contents that only they had."""
    digests = await prune_content.drop_attachments(ids) if ids else []
    return await prune_content.drop_contents(digests) if digests else []


async def prune_loose_ends() -> int:
    """Delete attachments and contents that pruning had to leave, because somebody was at them."""
    total = 0
    async for page in walk(FIRST, prune_content.list_attachments):
        unlinked = [key for key, is_unlinked in page if is_unlinked]
        total += await drop_in_transaction(drop_attachments, unlinked)
    async for page in walk("", prune_content.list_contents):
        unused = [digest for digest, is_unused in page if is_unused]
        total += await drop_in_transaction(prune_content.drop_contents, unused)
    return total


async def drop_in_transaction[K](
    drop: Callable[[Sequence[K]], Awaitable[list[str]]], keys: Sequence[K]
) -> int:
    if not keys:
        return 0
    async with app().make("db").transaction():
        paths = await drop(keys)
    await delete_files(paths)
    return len(paths)


async def forget_bodies(days: float) -> int:
    """Forget the bodies of events as providers sent them, ``days`` after they came."""
    return await repeat(partial(reports.clear_raw, days, PAGE))


async def prune_events(days: float) -> int:
    """Settle reports about items that were pruned, and delete those that were about nothing."""
    settled = await repeat(partial(reports.mark_pruned, days, PAGE))
    return settled + await repeat(partial(reports.drop_unmatched, days, PAGE))


async def prune_operations_over(days: float) -> int:
    """Delete bulk operations that ended ``days`` ago, with their results; how many there were."""
    return await repeat(partial(prune_page_of_operations, days))


async def prune_page_of_operations(days: float) -> int:
    over = await prune_operations.find_over(days, PAGE)
    for operation_id in over:
        await repeat(partial(prune_operations.drop_results, operation_id, PAGE))
    return await prune_operations.drop_operations(over) if over else 0
