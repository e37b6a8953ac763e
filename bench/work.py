"""Items that wait to be sent, and the messages of them that a worker will find."""

import asyncio
import os
from collections.abc import Sequence

from redis.asyncio import Redis

from app.items import add_email, add_sms
from local.demo.play import application

STREAM = "pillarbox:queue:default"
AT_ONCE = 8
TEXT = "Your order is on its way.\n" * 20

type Message = dict[bytes, bytes]


async def compose(items: int) -> list[Message]:
    """Half emails, half SMS. Their messages are taken from the broker, to be given to it later."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(number: int) -> None:
        async with gate:
            await (add_sms if number % 2 else add_email)(**message(number))

    async with application():
        await asyncio.gather(*(one(number) for number in range(items)))
    async with Redis.from_url(os.environ["QUEUE_URL"]) as redis:
        messages = [fields for _, fields in await redis.xrange(STREAM)]
        await redis.delete(STREAM)
    return messages


def message(number: int) -> dict[str, object]:
    if number % 2:
        person = {"name": "Ada", "cell": f"+1201555{number % 10_000:04}"}
        return {"sender": {"cell": "+15005550006"}, "receiver": person, "body": "It is on its way."}
    return {
        "sender": {"name": "Shop", "email": "shop@example.com"},
        "to": [{"name": "Ada", "email": f"ada{number}@example.com"}],
        "subject": f"Order {number}",
        "text": TEXT,
        "html": f"<p>{TEXT}</p>",
    }


def api_message(number: int) -> tuple[str, dict[str, object]]:
    """The same as the API takes it, and at which path."""
    return "/api/sms" if number % 2 else "/api/emails", message(number)


async def publish(redis: Redis, stream: str, messages: Sequence[Message]) -> None:
    async with redis.pipeline(transaction=False) as pipeline:
        for fields in messages:
            pipeline.xadd(stream, fields)
        await pipeline.execute()
