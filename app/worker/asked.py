"""Answers of servers that may hang: whoever asks waits a little and no longer."""

import asyncio
import time
from collections.abc import Awaitable, Callable

LIMIT = 2.0
"""Seconds that one who asks waits."""


class Asked[T]:
    """Asks at most once at a time, and keeps an answer for ``keep`` seconds.

    The question goes on when nobody waits for it any more: to cancel a statement takes an answer
    of the server too. It has to end by itself.
    """

    def __init__(
        self, ask: Callable[[], Awaitable[T]], *, keep: float, limit: float = LIMIT
    ) -> None:
        self._ask = ask
        self._keep = keep
        self._limit = limit
        self._asking: asyncio.Task[T] | None = None
        self._answered: tuple[float, T] | None = None

    async def now(self) -> T | None:
        """The answer; ``None`` when the server is away or did not answer in time."""
        if self._answered is not None and time.monotonic() - self._answered[0] < self._keep:
            return self._answered[1]
        if self._asking is None:
            self._asking = asyncio.create_task(self._wait_for_answer())
            self._asking.add_done_callback(self._end)
        done, _ = await asyncio.wait((self._asking,), timeout=self._limit)
        return next((task.result() for task in done if _succeeded(task)), None)

    async def _wait_for_answer(self) -> T:
        answer = await self._ask()
        self._answered = (time.monotonic(), answer)
        return answer

    def _end(self, task: asyncio.Task[T]) -> None:
        self._asking = None
        _succeeded(task)


def _succeeded(task: asyncio.Task[object]) -> bool:
    return not task.cancelled() and task.exception() is None
