"""The broker on RabbitMQ (3.10 or newer): one quorum queue for each queue."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import ClassVar, override
from weakref import WeakKeyDictionary, WeakSet

from app.models.queries.gauges import Reading
from app.worker.amqp.mailbox import AmqpMailbox
from app.worker.amqp.sender import Sender
from app.worker.delivery import Delivery
from app.worker.names import Names
from app.worker.pace import Pace
from app.worker.port import Broker, Outgoing, SetAside
from app.worker.signing import Signer

LONG_AGO = datetime.fromtimestamp(0, UTC)


class AmqpBroker(Broker):
    server: ClassVar[str] = "rabbitmq"
    batch: ClassVar[int] = 200

    def __init__(self, url: str, names: Names, signer: Signer) -> None:
        super().__init__(url, names, signer)
        self._senders: WeakKeyDictionary[asyncio.AbstractEventLoop, Sender] = WeakKeyDictionary()
        self._mailboxes: WeakSet[AmqpMailbox] = WeakSet()
        self._taken: dict[str, int] = {}

    @override
    async def add(self, messages: Sequence[Outgoing]) -> None:
        await self._sender.send(messages)

    @override
    def mailbox(
        self, worker_id: str, pace: Pace, holds: Callable[[str, bytes], bool]
    ) -> AmqpMailbox:
        mailbox = AmqpMailbox(self.url, self.names, worker_id, pace, holds, self._note_taken)
        self._mailboxes.add(mailbox)
        return mailbox

    @override
    async def set_aside(self, what: SetAside, delivery: Delivery | None = None) -> None:
        await self._sender.keep(what)
        for mailbox in self._mailboxes:
            if delivery is not None and mailbox.has(delivery):
                await mailbox.settle([delivery])

    @override
    async def oldest(self) -> dict[str, datetime | None]:
        """A queue is read in its order, so whatever waits was put there after what was read last.

        Where this process has read nothing, whatever waits may have been there for ever.
        """
        depths = await self._sender.depths()
        del depths[""]
        return {label: self._since(label) if depth else None for label, depth in depths.items()}

    @override
    async def gauges(self) -> list[Reading]:
        """RabbitMQ doesn't tell how long its messages wait; items do."""
        depths = await self._sender.depths()
        aside = depths.pop("")
        return [
            *(Reading("stream", (label,), float(depth)) for label, depth in depths.items()),
            Reading("quarantine", (), float(aside)),
        ]

    @override
    async def ping(self) -> None:
        await self._sender.depths()

    @override
    async def shutdown(self) -> None:
        await super().shutdown()
        sender = self._senders.pop(asyncio.get_running_loop(), None)
        if sender is not None:
            await sender.close()

    @property
    def _sender(self) -> Sender:
        """Opened when it is first needed, for the loop that needs it."""
        loop = asyncio.get_running_loop()
        if loop not in self._senders:
            self._senders[loop] = Sender(self.url, self.names, self.signer)
        return self._senders[loop]

    def _note_taken(self, label: str, put_at: int) -> None:
        self._taken[label] = max(put_at, self._taken.get(label, 0))

    def _since(self, label: str) -> datetime:
        taken = self._taken.get(label)
        return datetime.fromtimestamp(taken / 1000, UTC) if taken else LONG_AGO
