"""Publishes: on one channel, and each message confirmed by the server."""

import asyncio
import time
from collections.abc import Mapping, Sequence, Set
from typing import Any, cast
from uuid import uuid4

from aiormq import Connection
from aiormq.abc import AbstractChannel
from pamqp.commands import Basic

from app.worker.amqp import link, queues
from app.worker.amqp.link import translated
from app.worker.names import LABELS, Names
from app.worker.port import Outgoing, SetAside, Unwritable
from app.worker.signing import Signer

HEARTBEAT = 10.0
LIMIT = 0.9
"""Seconds for the confirmations of one hand-over: a little less than the publisher waits."""
DURABLE = 2


class Sender:
    """Of one loop; connects when it is first needed, and anew when that broke."""

    def __init__(self, url: str, names: Names, signer: Signer) -> None:
        self._url = url
        self._names = names
        self._signer = signer
        self._connection: Connection | None = None
        self._channel: AbstractChannel | None = None
        self._foreign: Set[str] = frozenset()
        self._connecting: asyncio.Task[AbstractChannel] | None = None

    async def send(self, messages: Sequence[Outgoing]) -> None:
        """Raises ``Unwritable`` when the others were sent, and what ``AWAY`` names."""
        channel = await self._open()
        ours = [message for message in messages if message.label not in self._foreign]
        await self._publish(channel, [self._written(message) for message in ours])
        if missing := {message.label for message in messages} & self._foreign:
            raise Unwritable(missing)

    async def keep(self, what: SetAside) -> None:
        """Put it on the queue of what was set aside."""
        [(kind, content)] = what.content.items()
        headers = {"queue": what.label, "reason": what.reason, "content": kind}
        written = (self._names.quarantine, content, headers)
        await self._publish(await self._open(), [written])

    async def depths(self) -> dict[str, int]:
        """How many messages wait on each queue of ours, by label, and in quarantine (``""``)."""
        channel = await self._open()
        readable = [label for label in LABELS if label not in self._foreign]
        with translated():
            found = {
                label: await queues.declare(channel, self._names.stream(label), queues.WORK)
                for label in readable
            }
            aside = await queues.declare(channel, self._names.quarantine, queues.QUARANTINE)
        return {**found, "": aside}

    async def close(self) -> None:
        if self._connecting is not None:
            self._connecting.cancel()
            await asyncio.wait((self._connecting,))
        await self._drop()

    async def _drop(self) -> None:
        connection, self._connection, self._channel = self._connection, None, None
        await link.close(connection)

    async def _open(self) -> AbstractChannel:
        channel, connection = self._channel, self._connection
        if channel and connection and not (channel.is_closed or connection.is_closed):
            return channel
        if self._connecting is None:
            self._connecting = asyncio.create_task(self._connect())
            self._connecting.add_done_callback(self._end_connecting)
        connecting = self._connecting
        # It goes on for whoever comes next when this caller has no more patience.
        await asyncio.wait((connecting,))
        return connecting.result()

    def _end_connecting(self, task: asyncio.Task[AbstractChannel]) -> None:
        self._connecting = None
        if not task.cancelled():
            task.exception()

    async def _connect(self) -> AbstractChannel:
        await self._drop()
        connection = await link.connect(self._url, heartbeat=HEARTBEAT, name="pillarbox publisher")
        try:
            self._foreign = await queues.declare_all(connection, self._names)
            self._channel = await link.open_channel(connection, confirms=True)
        except BaseException:
            await link.close(connection)
            raise
        self._connection = connection
        return self._channel

    async def _publish(
        self, channel: AbstractChannel, written: Sequence[tuple[str, bytes, Mapping[str, Any]]]
    ) -> None:
        sends = [_send(channel, queue, data, headers) for queue, data, headers in written]
        try:
            with translated():
                async with asyncio.timeout(LIMIT):
                    answers = await asyncio.gather(*sends, return_exceptions=True)
                for error in [a for a in answers if isinstance(a, BaseException)]:
                    raise error
        except OSError, TimeoutError:
            # Whatever is wrong with it, also a queue that is gone: the next one begins anew.
            await self._drop()
            raise

    def _written(self, message: Outgoing) -> tuple[str, bytes, Mapping[str, Any]]:
        signature = self._signer.sign(message.label, message.data)
        headers = {"sig": signature.hex(), "at": int(time.time() * 1000)}
        return self._names.stream(message.label), message.data, headers


async def _send(
    channel: AbstractChannel, queue: str, data: bytes, headers: Mapping[str, Any]
) -> None:
    properties = Basic.Properties(
        delivery_mode=DURABLE, message_id=uuid4().hex, headers=dict(headers)
    )
    # Mandatory: a message that fits no queue would be confirmed, and thrown away.
    await cast("Any", channel).basic_publish(
        data, routing_key=queue, properties=properties, mandatory=True, wait=False
    )
