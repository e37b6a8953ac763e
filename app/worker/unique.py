"""Arvel's unique jobs: a lock taken before publishing, and given back when that fails."""

from collections.abc import Awaitable, Callable

from arvel.queue import Job
from arvel.queue.middleware import unique_lock_for

from app.worker.names import log

type Send = Callable[[], Awaitable[bool]]


async def send_once(job: Job, send: Send) -> bool:
    """Publish ``job`` unless one like it is queued or runs; whether it was published.

    Raises whatever the cache raises when the lock can't be asked.
    """
    lock = unique_lock_for(job)
    if not await lock.acquire():
        return False
    sent = await send()
    if not sent:
        await _give_back(lock.release)
    return sent


async def _give_back(release: Callable[[], Awaitable[bool]]) -> None:
    try:
        await release()
    except Exception as error:
        log().warning("lock_not_released", error=type(error).__name__)
