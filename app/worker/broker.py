"""The broker on Redis (6.2 or newer) or Valkey (7.2 or newer): one stream for each queue."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, ClassVar, cast, override
from weakref import WeakKeyDictionary

from redis.asyncio import Redis

from app.models.queries.gauges import Reading
from app.worker.connection import COMMAND, connect, is_wrong_type
from app.worker.delivery import Delivery
from app.worker.names import GROUP, KEEP, LABELS, Names
from app.worker.oldest import oldest_waiting
from app.worker.pace import Pace
from app.worker.port import Broker, Outgoing, SetAside, Unwritable
from app.worker.signing import Signer
from app.worker.streams import Streams

CONNECTIONS = 16
QUARANTINED = 1000
"""About how many messages quarantine keeps; older ones go."""


class StreamBroker(Broker):
    server: ClassVar[str] = "valkey"
    batch: ClassVar[int] = 2000

    def __init__(self, url: str, names: Names, signer: Signer) -> None:
        super().__init__(url, names, signer)
        self._clients: WeakKeyDictionary[asyncio.AbstractEventLoop, Redis] = WeakKeyDictionary()

    @property
    def client(self) -> Redis:
        """For short commands; opened when it is first needed, for the loop that needs it."""
        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            self._clients[loop] = connect(self.url, size=CONNECTIONS)
        return self._clients[loop]

    @override
    async def add(self, messages: Sequence[Outgoing]) -> None:
        pipeline = self.client.pipeline(transaction=False)
        for message in messages:
            pipeline.xadd(self.names.stream(message.label), self._fields(message))
        for label in {message.label for message in messages}:
            pipeline.expire(self.names.stream(label), KEEP)
        answers = await pipeline.execute(raise_on_error=False)
        failed = [a for a in answers if isinstance(a, Exception)]
        for error in failed:
            if not is_wrong_type(error):
                raise error
        if failed:
            answered = zip(messages, answers, strict=False)
            raise Unwritable({m.label for m, answer in answered if isinstance(answer, Exception)})

    @override
    def mailbox(self, worker_id: str, pace: Pace, holds: Callable[[str, bytes], bool]) -> Streams:
        reader = connect(self.url, size=1, patience=pace.block + COMMAND)
        return Streams(self.client, reader, self.names, worker_id)

    @override
    async def set_aside(self, what: SetAside, delivery: Delivery | None = None) -> None:
        pipeline = cast("Any", self.client.pipeline(transaction=True))
        fields = {"queue": what.label, "reason": what.reason, **what.content}
        pipeline.xadd(self.names.quarantine, fields, maxlen=QUARANTINED, approximate=True)
        pipeline.expire(self.names.quarantine, KEEP)
        if delivery is not None:
            stream = self.names.stream(delivery.label)
            pipeline.xack(stream, GROUP, delivery.id)
            pipeline.xdel(stream, delivery.id)
        await pipeline.execute()

    @override
    async def oldest(self) -> dict[str, datetime | None]:
        return await oldest_waiting(self.client, self.names)

    @override
    async def gauges(self) -> list[Reading]:
        waiting = await self.oldest()
        return [*await self._lengths(), *(_wait(label, since) for label, since in waiting.items())]

    @override
    async def ping(self) -> None:
        await cast("Any", self.client).ping()

    @override
    async def shutdown(self) -> None:
        await super().shutdown()
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.aclose()

    async def _lengths(self) -> list[Reading]:
        pipeline = cast("Any", self.client).pipeline(transaction=False)
        for label in LABELS:
            pipeline.xlen(self.names.stream(label))
        pipeline.xlen(self.names.quarantine)
        *lengths, aside = await pipeline.execute()
        return [
            *(Reading("stream", (la,), float(n)) for la, n in zip(LABELS, lengths, strict=True)),
            Reading("quarantine", (), float(aside)),
        ]

    def _fields(self, message: Outgoing) -> dict[Any, Any]:
        return {"data": message.data, "sig": self.signer.sign(message.label, message.data)}


def _wait(label: str, since: datetime | None) -> Reading:
    age = 0.0 if since is None else (datetime.now(UTC) - since).total_seconds()
    return Reading("oldest_waiting", (label,), max(0.0, age))
