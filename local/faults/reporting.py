"""Posts what providers report, each report again and again until the application has taken it."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence

import aiohttp

from local.faults.chance import chance_of
from local.faults.ledger import Told

type Post = Callable[[Told, str], Awaitable[int]]
"""Posts a report to the web process at an address; the status of its answer."""

AGAIN = 1.0
"""Seconds before a report that was not taken is posted again."""


class Reporting:
    """The reports of all providers; ``webs`` are the addresses of the web processes."""

    def __init__(self, webs: Sequence[str], seed: int) -> None:
        self._webs = webs
        self._chance = chance_of(seed, "reporting")
        self._tasks: set[asyncio.Task[None]] = set()

    def tell(self, story: Iterable[tuple[float, Told]], post: Post) -> None:
        """Post each report so long after the one before it, whatever becomes of that one."""
        after = 0.0
        for pause, told in story:
            after += pause
            task = asyncio.create_task(self._tell(after, told, post))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _tell(self, after: float, told: Told, post: Post) -> None:
        await asyncio.sleep(after)
        while True:
            status = await self._post(told, post)
            told.answers.append((time.time(), status))
            if told.heard is not None:
                return
            await asyncio.sleep(AGAIN)

    async def _post(self, told: Told, post: Post) -> int:
        try:
            return await post(told, self._chance.choice(self._webs))
        except aiohttp.ClientError, TimeoutError, OSError:
            return 0
