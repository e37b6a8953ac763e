"""Jobs that wait for a commit: those of one transaction leave together, or not at all."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from arvel.kernel import app
from sqlalchemy.ext.asyncio import AsyncConnection

from app.models.connections import open_transaction
from app.worker.publisher import Message

type Publish = Callable[[Sequence[Message]], Awaitable[bool]]


class Commits:
    def __init__(self, publish: Publish) -> None:
        self._publish = publish
        # Weak: a rollback forgets the connection without telling us.
        self._waiting: WeakKeyDictionary[AsyncConnection, list[Message]] = WeakKeyDictionary()

    async def add(self, messages: Sequence[Message]) -> bool:
        """Whether the messages will be published by a commit; false when nothing is open."""
        connection = _open()
        if connection is None:
            return False
        if connection not in self._waiting:
            self._waiting[connection] = []
            await self.call(lambda: self._leave(connection))
        self._waiting[connection].extend(messages)
        return True

    async def call(self, callback: Callable[[], Awaitable[Any]]) -> bool:
        """Whether ``callback`` will be called by a commit; false when nothing is open."""
        if _open() is None:
            return False
        await app().make("events").after_commit(callback)
        return True

    async def _leave(self, connection: AsyncConnection) -> None:
        await self._publish(self._waiting.pop(connection, []))


def _open() -> AsyncConnection | None:
    connection = open_transaction.get()
    # A task that was started inside a transaction still sees it after its end.
    return None if connection is None or connection.closed else connection
