"""A message as RabbitMQ delivers it."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, cast

from aiormq.abc import DeliveredMessage

from app.worker.delivery import Delivery


class Received:
    """Nothing in it is believed: what is missing or of another kind counts as empty."""

    def __init__(self, label: str, message: DeliveredMessage) -> None:
        properties = message.header.properties
        self._headers = cast("Mapping[str, Any]", properties.headers or {})
        self.tag = int(message.delivery_tag or 0)
        identifier = str(properties.message_id or sha256(message.body).hexdigest()).encode()
        self.delivery = Delivery(label, identifier, message.body, self._signature())

    @property
    def put_at(self) -> int:
        """When it was put on its queue, in milliseconds, by the clock of who put it there; or 0."""
        return self._number("at")

    @property
    def earlier(self) -> int:
        """How often it was delivered and came back; quorum queues count that."""
        return self._number("x-delivery-count")

    def _number(self, name: str) -> int:
        value = self._headers.get(name)
        return value if isinstance(value, int) else 0

    def _signature(self) -> bytes:
        try:
            return bytes.fromhex(str(self._headers.get("sig", "")))
        except ValueError:
            return b""
