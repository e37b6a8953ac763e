"""Keeps what must not run for people to look at, and never runs it."""

from collections import Counter

from app.worker.delivery import Delivery
from app.worker.names import log
from app.worker.port import Broker, SetAside
from app.worker.refusal import Reason

LARGEST = 64 * 1024


class Quarantine:
    """``counts`` says how many messages this process put aside, by reason."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self.counts: Counter[Reason] = Counter()

    async def put(self, delivery: Delivery, reason: Reason) -> None:
        """Move a message here and acknowledge it; raises what ``AWAY`` names."""
        content = {"data": delivery.data[:LARGEST]}
        await self._broker.set_aside(SetAside(delivery.label, reason.value, content), delivery)
        self._note(delivery.label, reason)

    async def put_payload(self, label: str, payload: str, reason: Reason) -> None:
        """Keep a job that came from a table; raises what ``AWAY`` names."""
        content = {"payload": payload.encode()[:LARGEST]}
        await self._broker.set_aside(SetAside(label, reason.value, content))
        self._note(label, reason)

    def _note(self, label: str, reason: Reason) -> None:
        self.counts[reason] += 1
        log().error("message_quarantined", queue=label, reason=reason.value)
