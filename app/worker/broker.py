"""The broker: one stream for each queue, on Redis (6.2 or newer) or Valkey (7.2 or newer)."""

import asyncio
from collections.abc import AsyncGenerator, Sequence, Set
from dataclasses import dataclass
from typing import Any, NoReturn, override
from weakref import WeakKeyDictionary

from redis.asyncio import Redis
from taskiq import AckableMessage, AsyncBroker, BrokerMessage

from app.worker.connection import connect, is_wrong_type
from app.worker.names import KEEP, Names
from app.worker.signing import Signer

CONNECTIONS = 16


@dataclass(frozen=True, slots=True)
class Outgoing:
    label: str
    data: bytes


class NoStreams(Exception):
    """Nothing can be put on the queues ``labels``: somebody else's keys have their names."""

    def __init__(self, labels: Set[str]) -> None:
        super().__init__(f"The keys of these queues are no streams: {', '.join(sorted(labels))}.")
        self.labels = labels


class StreamBroker(AsyncBroker):
    """Puts signed messages on the streams; the worker reads them, behind its guard."""

    def __init__(self, url: str, names: Names, signer: Signer) -> None:
        super().__init__()
        self.url = url
        self.names = names
        self.signer = signer
        self._clients: WeakKeyDictionary[asyncio.AbstractEventLoop, Redis] = WeakKeyDictionary()

    @property
    def client(self) -> Redis:
        """For short commands; opened when it is first needed, for the loop that needs it."""
        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            self._clients[loop] = connect(self.url, size=CONNECTIONS)
        return self._clients[loop]

    @override
    async def kick(self, message: BrokerMessage) -> None:
        label = str(message.labels.get("queue") or "default")
        await self.add([Outgoing(label, message.message)])

    async def add(self, messages: Sequence[Outgoing]) -> None:
        """Put all of them on their streams in one pipeline.

        Raises:
            NoStreams: some keys are no streams; the messages of all other queues were put.
            Exception: what ``AWAY`` names.
        """
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
            raise NoStreams({m.label for m, answer in answered if isinstance(answer, Exception)})

    @override
    async def shutdown(self) -> None:
        await super().shutdown()
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.aclose()

    @override
    def listen(self) -> AsyncGenerator[bytes | AckableMessage]:
        return self._refuse()

    def _refuse(self) -> NoReturn:
        # taskiq's own receiver would hand messages to arvel's decoder without the guard.
        raise RuntimeError("These streams are read by `arvel queue:work`, not by taskiq's worker.")

    def _fields(self, message: Outgoing) -> dict[Any, Any]:
        return {"data": message.data, "sig": self.signer.sign(message.label, message.data)}
