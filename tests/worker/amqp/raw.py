"""What another program than ours does on RabbitMQ."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiormq
from pamqp.commands import Basic


def queue_of(label: str) -> str:
    return f"{os.environ['QUEUE_PREFIX']}queue:{label}"


@asynccontextmanager
async def channel() -> AsyncIterator[Any]:
    connection = await aiormq.connect(os.environ["QUEUE_URL"])
    try:
        yield await connection.channel()
    finally:
        await connection.close()


async def put(label: str, data: bytes, **headers: Any) -> None:
    async with channel() as opened:
        properties = Basic.Properties(headers=headers)
        await opened.basic_publish(data, routing_key=queue_of(label), properties=properties)


async def hand_back(label: str, times: int) -> None:
    """As workers do that die of it: take the first message, and let it go back."""
    async with channel() as opened:
        for _ in range(times):
            message = await opened.basic_get(queue_of(label))
            await opened.basic_nack(message.delivery_tag, requeue=True)


async def headers_of_what_was_set_aside() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    async with channel() as opened:
        queue = f"{os.environ['QUEUE_PREFIX']}quarantine"
        while isinstance((message := await opened.basic_get(queue)).delivery, Basic.GetOk):
            found.append(dict(message.header.properties.headers or {}))
    return found


async def declare(label: str, *, delete: bool = False) -> None:
    """A queue of another kind under a name of ours."""
    async with channel() as opened:
        if delete:
            await opened.queue_delete(queue_of(label))
        else:
            await opened.queue_declare(queue_of(label))
