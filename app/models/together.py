"""Serves with one statement all who ask for the same kind of thing at the same moment.

Nobody waits for others to come: whoever asks while little runs is served at once, and those who
ask meanwhile are served together afterwards. So a busy worker needs few statements, and an idle one
loses no time.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from weakref import WeakKeyDictionary

from app.models.statements import is_in_transaction

MOST = 50
"""Askers that are served by one statement."""
AT_ONCE = 2
"""Statements that run at the same time: one is answered while the other is worked on."""

type Many[Asked, Answer] = Callable[[Sequence[Asked]], Awaitable[Mapping[Hashable, Answer]]]
"""Serves whom it can without waiting for anybody else; the answers by their keys."""
type Alone[Asked, Answer] = Callable[[Asked], Awaitable[Answer]]
"""Serves one asker, and waits for whatever that takes. It may have been served already, by a
statement whose reply was lost."""
type Batch[Asked, Answer] = dict[Hashable, tuple[Asked, asyncio.Future[Answer]]]


class Together[Asked, Answer]:
    """``key`` names what is asked for: two who ask for the same are never served together.

    Whoever ``many`` leaves out, and everybody when it fails, is served ``alone``: what is wrong
    with one of them is nothing to the others, and nobody waits for a row that another one needs.
    """

    def __init__(
        self,
        key: Callable[[Asked], Hashable],
        many: Many[Asked, Answer],
        alone: Alone[Asked, Answer],
    ) -> None:
        self.key = key
        self.many = many
        self.alone = alone
        self._lines: WeakKeyDictionary[asyncio.AbstractEventLoop, _Line[Asked, Answer]] = (
            WeakKeyDictionary()
        )

    async def ask(self, asked: Asked) -> Answer:
        """The answer that ``alone`` would give; inside a transaction it is the one that does."""
        if is_in_transaction():
            return await self.alone(asked)
        loop = asyncio.get_running_loop()
        line = self._lines.get(loop)
        if line is None:
            line = self._lines[loop] = _Line(self)
        return await line.ask(asked)


class _Line[Asked, Answer]:
    """Those who ask on one event loop."""

    def __init__(self, kind: Together[Asked, Answer]) -> None:
        self._kind = kind
        self._waiting: list[tuple[Asked, asyncio.Future[Answer]]] = []
        self._running = 0
        self._called = False
        self._tasks: set[asyncio.Task[None]] = set()

    async def ask(self, asked: Asked) -> Answer:
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Answer] = loop.create_future()
        self._waiting.append((asked, answer))
        if not self._called:
            # Whoever else asks in this turn of the loop comes along.
            self._called = True
            loop.call_soon(self._next)
        return await answer

    def _next(self) -> None:
        self._called = False
        while self._running < AT_ONCE and (batch := self._take()):
            self._running += 1
            self._start(self._serve(batch))

    def _take(self) -> Batch[Asked, Answer]:
        """The next ones, without those who have given up meanwhile."""
        batch: Batch[Asked, Answer] = {}
        rest: list[tuple[Asked, asyncio.Future[Answer]]] = []
        for asked, answer in self._waiting:
            key = self._kind.key(asked)
            if answer.done():
                continue
            if len(batch) < MOST and key not in batch:
                batch[key] = (asked, answer)
            else:
                rest.append((asked, answer))
        self._waiting = rest
        return batch

    async def _serve(self, batch: Batch[Asked, Answer]) -> None:
        served: Mapping[Hashable, Answer] = {}
        try:
            # When it fails each is served alone, and told what is wrong with it.
            with contextlib.suppress(Exception):
                served = await self._kind.many([asked for asked, _ in batch.values()])
        finally:
            self._running -= 1
            self._next()
        for key, (asked, answer) in batch.items():
            if key not in served:
                self._start(self._serve_alone(asked, answer))
            elif not answer.done():
                answer.set_result(served[key])

    async def _serve_alone(self, asked: Asked, answer: asyncio.Future[Answer]) -> None:
        try:
            found = await self._kind.alone(asked)
        except Exception as error:
            if not answer.done():
                answer.set_exception(error)
        else:
            if not answer.done():
                answer.set_result(found)

    def _start(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
