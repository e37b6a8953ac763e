"""Clients: each asks for its message with the same key until it is told that it is queued."""

import asyncio
import base64
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from random import Random
from typing import Any
from uuid import UUID

from local.faults.api import Api
from local.faults.chance import chance_of
from local.faults.plan import EMAIL_CHANNELS, Message

ORIGIN = "campaign"


@dataclass(slots=True)
class Order:
    """A message that a client wants to be sent, and not before ``due``: how it asked, and which
    items it got."""

    message: Message
    due: float = 0.0
    asked: list[tuple[float, int]] = field(default_factory=list[tuple[float, int]])
    items: list[UUID] | None = None


class Clients:
    """All clients; ``orders`` in the order of the plan."""

    def __init__(self, api: Api, seed: int, begin: float) -> None:
        self.orders: list[Order] = []
        self._api = api
        self._seed = seed
        self._begin = begin

    async def send(self, messages: Sequence[Message]) -> None:
        """Have all messages sent, each from its time on; ends when all are queued."""
        async with asyncio.TaskGroup() as group:
            for message in messages:
                order = Order(message, self._begin + message.at + message.later)
                self.orders.append(order)
                group.create_task(self._send(order))

    async def _send(self, order: Order) -> None:
        message = order.message
        chance = chance_of(self._seed, "client", message.number)
        body = body_of(message, order.due, chance)
        await asyncio.sleep(self._begin + message.at - time.time())
        while order.items is None:
            answer = await self._api.ask(
                "POST",
                "/api/emails" if message.method == "email" else "/api/sms",
                web=self._web_for(message),
                key=f"{ORIGIN}-{message.number}",
                body=body,
            )
            order.asked.append((time.time(), answer.status))
            if answer.status == 202:
                order.items = [UUID(item["id"]) for item in answer.body["items"]]
            elif not answer.lost:
                raise RuntimeError(f"The API refuses a message: {answer}")
            else:
                await asyncio.sleep(chance.uniform(0.1, 1))

    def _web_for(self, message: Message) -> str:
        """Email goes the way that a web process is set to."""
        if message.method == "sms":
            return ""
        return self._api.webs[EMAIL_CHANNELS.index(message.channel)]


def body_of(message: Message, due: float, chance: Random) -> dict[str, Any]:
    number = message.number
    send_at = {"send_at": datetime.fromtimestamp(due, UTC).isoformat()} if message.later else {}
    common = send_at | {
        "priority": message.priority,
        "origin": {"type": ORIGIN, "id": str(number)},
    }
    if message.method == "sms":
        return common | {
            "sender": {"cell": "+15005550006"},
            "receiver": {"cell": f"+1201{5_550_000 + number}"},
            "body": f"Message {number}",
        }
    files = [
        {"name": "a.bin", "content": base64.b64encode(chance.randbytes(message.attached)).decode()}
    ]
    return common | {
        "sender": {"email": "shop@example.com"},
        "to": [{"email": f"r{number}-{n}@example.com"} for n in range(message.receivers)],
        "subject": f"Message {number}",
        "text": "Hello.",
        "attachments": files if message.attached else [],
    }
