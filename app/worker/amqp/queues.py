"""The queues on RabbitMQ: durable, replicated where there is a cluster, and counting deliveries."""

from collections.abc import Mapping
from typing import Any

from aiormq import Connection
from aiormq.abc import AbstractChannel
from aiormq.exceptions import ChannelClosed

from app.worker.amqp.link import COMMAND, close, open_channel, translated
from app.worker.names import LABELS, Names, log

NEVER = 2**31 - 1
"""Newer servers drop a message after 20 deliveries unless told otherwise; ours ends at ten."""
QUARANTINED = 1000
"""How many messages quarantine keeps; older ones go."""

WORK: Mapping[str, Any] = {"x-queue-type": "quorum", "x-delivery-limit": NEVER}
QUARANTINE: Mapping[str, Any] = {"x-max-length": QUARANTINED, "x-overflow": "drop-head"}


async def declare(channel: AbstractChannel, queue: str, arguments: Mapping[str, Any]) -> int:
    """Make a queue unless it is there; how many messages wait on it."""
    made = await channel.queue_declare(
        queue, durable=True, arguments=dict(arguments), timeout=COMMAND
    )
    return made.message_count or 0


async def declare_all(connection: Connection, names: Names) -> set[str]:
    """Make what is missing; the labels whose queue is somebody else's, of another kind."""
    with translated():
        await _try(connection, names.quarantine, QUARANTINE)
        return {la for la in LABELS if not await _try(connection, names.stream(la), WORK)}


async def _try(connection: Connection, queue: str, arguments: Mapping[str, Any]) -> bool:
    # The server closes the channel of a declaration that it refuses.
    channel = await open_channel(connection, confirms=False)
    try:
        await declare(channel, queue, arguments)
    except ChannelClosed:
        return False
    await close(channel)
    return True


def tell_unreadable(queue: str, label: str) -> None:
    log().error(
        "queue_unreadable",
        queue=label,
        key=queue,
        reason="This queue is of another kind than ours: somebody else declared it. Remove it, or"
        " set QUEUE_PREFIX if another application uses the same virtual host.",
    )
