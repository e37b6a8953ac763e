"""The queues on RabbitMQ as one worker reads them.

A message is asked for when there is room for it, so that none waits here while another worker has
nothing to do. Only a worker at rest is told of new ones.
"""

import asyncio
import contextlib
import secrets
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from aiormq.abc import AbstractChannel, DeliveredMessage

from app.worker.amqp import link
from app.worker.amqp.held import Held, Holding
from app.worker.amqp.line import Line
from app.worker.amqp.link import translated
from app.worker.amqp.received import Received
from app.worker.delivery import Delivery
from app.worker.names import Names
from app.worker.pace import Pace
from app.worker.port import Abandoned

CONNECTING = 10.0
"""Seconds for connecting and seeing to the queues, whatever becomes of the server meanwhile."""


class AmqpMailbox:
    """``taken`` is told of each message that came, and when it was put on its queue."""

    def __init__(
        self,
        url: str,
        names: Names,
        worker_id: str,
        pace: Pace,
        holds: Callable[[str, bytes], bool],
        taken: Callable[[str, int], None],
    ) -> None:
        self.consumer = f"{worker_id}:{secrets.token_hex(4)}"
        name = f"pillarbox worker {self.consumer}"
        self._line = Line(url, names, name, pace.abandoned / 2, self._arrive)
        self._holds = holds
        self._taken = taken
        self._holding = Holding()
        self._calls: set[asyncio.Task[Any]] = set()

    async def prepare(self) -> None:
        self._holding.drop_fresh()
        await self._uncut(asyncio.wait_for(self._line.connect(), CONNECTING))

    async def look_again(self) -> None:
        if self._line.unreadable:
            await self._uncut(self._line.look_again())

    async def read(self, label: str, count: int) -> list[Delivery]:
        found = self._holding.begin(label, count)
        if len(found) < count and label not in self._line.unreadable:
            await self._uncut(self._line.fetch(label, count - len(found)))
            found += self._holding.begin(label, count - len(found))
        return found

    async def wait(self, labels: Sequence[str], count: int, seconds: float) -> list[Delivery]:
        await self._uncut(self._line.listen(labels))
        if not self._holding.has_fresh:
            await self._line.hear(seconds)
        if self._holding.has_fresh:
            await self._uncut(self._line.stop_listening())
        return [one for label in labels for one in self._holding.begin(label, count)]

    async def stop_reading(self) -> None:
        if self._calls:
            await asyncio.wait(set(self._calls))
        await self._uncut(self._let_go())

    async def abandoned(self, label: str, idle: float, count: int) -> list[Abandoned]:
        """Of those that were given up here the server is told, and gives them to anybody."""
        found: list[Abandoned] = []
        for held in self._holding.silent(label, idle):
            identifier = held.delivery.id
            if self._holds(label, identifier):
                continue
            if held.is_worn and self._is_ours(held):
                found.append(Abandoned(identifier, held.earlier))
            else:
                self._holding.drop(held.delivery.key)
                await self._uncut(self._give_back([held]))
        return found[:count]

    async def take(self, label: str, ids: Sequence[bytes], idle: float) -> list[Delivery]:
        self._holding.beat(label, ids)
        asked = {(label, identifier) for identifier in ids}
        return [held.delivery for held in self._holding if held.delivery.key in asked]

    async def beat(self, label: str, ids: Sequence[bytes]) -> None:
        """The server hears from the connection itself."""
        self._holding.beat(label, ids)

    async def settle(self, deliveries: Sequence[Delivery]) -> None:
        """What can't be acknowledged any more is known here as done when it comes again."""
        ended = [self._holding.end(delivery.key) for delivery in deliveries]
        await self._uncut(self._acknowledge([held for held in ended if held is not None]))

    def has(self, delivery: Delivery) -> bool:
        return delivery.key in self._holding

    async def abandon(self, label: str, worker_id: str, idle: float) -> int:
        """Nothing: what a process held is free as soon as its connection ends."""
        return 0

    async def hand_back(self, label: str, idle: float) -> None:
        """Nothing: closing does that."""

    async def prune(self, label: str, silent: float, *, leave: bool = False) -> int:
        """Nothing: readers leave nothing behind."""
        return 0

    async def touch(self) -> None:
        """Nothing: the queues stay until somebody deletes them."""

    async def length(self, labels: Sequence[str]) -> int:
        """Of what is begun only that which this worker has given up."""
        readable = [label for label in labels if label not in self._line.unreadable]
        waiting = sum([await self._uncut(self._line.depth(label)) for label in readable])
        given_up = [h.delivery for h in self._holding if not self._holds(*h.delivery.key)]
        return waiting + sum(1 for delivery in given_up if delivery.label in labels)

    async def close(self) -> None:
        if self._calls:
            await asyncio.wait(set(self._calls), timeout=link.PATIENCE)
        await self._line.close()

    async def _arrive(
        self, label: str, channel: AbstractChannel, message: DeliveredMessage
    ) -> None:
        received = Received(label, message)
        self._taken(label, received.put_at)
        held = Held(received.delivery, received.tag, channel, received.earlier)
        key = held.delivery.key
        if self._holding.is_done(key):
            await self._acknowledge([held])
        elif key in self._holding and self._holds(*key):
            self._holding.move(key, held.tag, channel)
        else:
            self._holding.add(held)

    def _is_ours(self, held: Held) -> bool:
        """Whether the server still thinks so: it came by the connection that there is."""
        return held.channel is self._line.channel

    async def _acknowledge(self, ended: Sequence[Held]) -> None:
        with contextlib.suppress(OSError), translated():
            for held in filter(self._is_ours, ended):
                await held.channel.basic_ack(held.tag, wait=False)

    async def _give_back(self, given_up: Sequence[Held]) -> None:
        with translated():
            for held in filter(self._is_ours, given_up):
                await held.channel.basic_nack(held.tag, requeue=True, wait=False)

    async def _let_go(self) -> None:
        await self._line.stop_listening()
        await self._give_back(self._holding.drop_fresh())

    async def _uncut[T](self, call: Coroutine[Any, Any, T]) -> T:
        """Cancelled amid a question the library would close the channel, and with it all that is
        held would go to others."""
        task = asyncio.create_task(call)
        self._calls.add(task)
        task.add_done_callback(self._forget)
        await asyncio.wait((task,))
        return task.result()

    def _forget(self, task: asyncio.Task[Any]) -> None:
        self._calls.discard(task)
        if not task.cancelled():
            task.exception()
