"""One worker's connection to RabbitMQ: what it asks for, and what it is told."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, cast

from aiormq import Connection
from aiormq.abc import AbstractChannel, DeliveredMessage

from app.worker.amqp import link, queues
from app.worker.amqp.link import COMMAND, BrokerAway, translated
from app.worker.names import Names, log

FETCH = 0.5
"""Seconds for messages that the server said were there; another worker may have been quicker."""

type Arrived = Callable[[str, AbstractChannel, DeliveredMessage], Awaitable[None]]
"""Gets a message, with the label of its queue and the channel that it came by."""


class Line:
    """``name`` is seen at the server. Everything raises what ``AWAY`` names.

    Whoever calls must not be cancelled meanwhile: the library would close the channel.
    """

    def __init__(
        self, url: str, names: Names, name: str, heartbeat: float, arrived: Arrived
    ) -> None:
        self._url = url
        self._names = names
        self._name = name
        self._heartbeat = heartbeat
        self._arrived = arrived
        self._connection: Connection | None = None
        self.channel: AbstractChannel | None = None
        self.unreadable: set[str] = set()
        self._listening: dict[str, str] = {}
        self._prefetch = 0
        self._expected = 1
        self._news = asyncio.Event()

    async def connect(self) -> None:
        """Anew: what was held by the connection before this goes back to its queues."""
        await self.close()
        self._connection = await link.connect(self._url, heartbeat=self._heartbeat, name=self._name)
        await self.look_again()
        channel = await link.open_channel(self._connection, confirms=False)
        cast("Any", channel).closing.add_done_callback(self._tell_of_end)
        channel.on_consumer_cancel_callbacks.add(self._give_up)
        self.channel = channel

    async def look_again(self) -> None:
        """Make the queues that are missing, and see which ones are none of ours."""
        if self._connection is None:
            return
        foreign = await queues.declare_all(self._connection, self._names)
        for label in sorted(foreign - self.unreadable):
            queues.tell_unreadable(self._names.stream(label), label)
        for label in sorted(self.unreadable - foreign):
            log().info("queue_readable_again", queue=label)
        self.unreadable = foreign

    async def fetch(self, label: str, most: int) -> None:
        """Have as many sent as there are, in one go: each question costs the server a write."""
        if expected := min(most, await self.depth(label)):
            await self.stop_listening()
            self._expect(expected)
            await self._consume(self._open(), label, expected)
            await self.hear(FETCH)
            await self.stop_listening()

    async def listen(self, labels: Sequence[str]) -> None:
        """Be told of one new message of each queue, until ``stop_listening``."""
        channel = self._open()
        self._expect(1)
        for label in labels:
            if label not in self._listening and label not in self.unreadable:
                await self._consume(channel, label, 1)

    async def hear(self, seconds: float) -> None:
        """Wait for what is expected; this may be cancelled."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._news.wait()
        self._open()

    async def stop_listening(self) -> None:
        channel = self._open()
        while self._listening:
            _, tag = self._listening.popitem()
            with translated():
                await channel.basic_cancel(tag, timeout=COMMAND)

    async def depth(self, label: str) -> int:
        """How many messages wait that no worker was given."""
        channel = self._open()
        with translated():
            return await queues.declare(channel, self._names.stream(label), queues.WORK)

    async def close(self) -> None:
        connection, self._connection, self.channel = self._connection, None, None
        self._listening.clear()
        self._prefetch = 0
        await link.close(connection)

    def _open(self) -> AbstractChannel:
        if self.channel is None or self.channel.is_closed:
            raise BrokerAway("Disconnected")
        return self.channel

    async def _consume(self, channel: AbstractChannel, label: str, most: int) -> None:
        """Have at most so many sent before one of them is acknowledged."""
        queue = self._names.stream(label)
        with translated():
            if self._prefetch != most:
                await channel.basic_qos(prefetch_count=most, timeout=COMMAND)
                self._prefetch = most
            answer = await channel.basic_consume(
                queue, self._told_of(label, channel), timeout=COMMAND
            )
        self._listening[label] = str(answer.consumer_tag)

    def _told_of(
        self, label: str, channel: AbstractChannel
    ) -> Callable[[DeliveredMessage], Coroutine[Any, Any, None]]:
        async def told(message: DeliveredMessage) -> None:
            await self._arrived(label, channel, message)
            self._expected -= 1
            if self._expected < 1:
                self._news.set()

        return told

    def _expect(self, messages: int) -> None:
        self._expected = messages
        self._news.clear()

    def _tell_of_end(self, _closed: object) -> None:
        self._news.set()

    def _give_up(self, _cancelled: object) -> None:
        """A queue was deleted under us: everything is made anew."""
        self.channel = None
        self._news.set()
