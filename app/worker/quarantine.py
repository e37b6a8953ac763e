"""Keeps what must not run for people to look at, and never runs it."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from app.worker.broker import StreamBroker
from app.worker.delivery import Delivery
from app.worker.names import GROUP, KEEP, log
from app.worker.refusal import Reason

LENGTH = 1000
"""About how many messages are kept; older ones go."""
LARGEST = 64 * 1024


class Quarantine:
    """``counts`` says how many messages this process put aside, by reason."""

    def __init__(self, broker: StreamBroker) -> None:
        self._broker = broker
        self._names = broker.names
        self.counts: Counter[Reason] = Counter()

    async def put(self, delivery: Delivery, reason: Reason) -> None:
        """Move a message here and acknowledge it, in one step; raises what ``AWAY`` names."""
        stream = self._names.stream(delivery.label)
        pipeline = self._broker.client.pipeline(transaction=True)
        self._add(pipeline, delivery.label, reason, {"data": delivery.data[:LARGEST]})
        pipeline.xack(stream, GROUP, delivery.id)
        pipeline.xdel(stream, delivery.id)
        await pipeline.execute()
        self._note(delivery.label, reason)

    async def put_payload(self, label: str, payload: str, reason: Reason) -> None:
        """Keep a job that came from a table; raises what ``AWAY`` names."""
        pipeline = self._broker.client.pipeline(transaction=True)
        self._add(pipeline, label, reason, {"payload": payload.encode()[:LARGEST]})
        await pipeline.execute()
        self._note(label, reason)

    def _add(self, pipeline: Any, label: str, reason: Reason, content: Mapping[str, bytes]) -> None:
        fields = {"queue": label, "reason": reason.value, **content}
        pipeline.xadd(self._names.quarantine, fields, maxlen=LENGTH, approximate=True)
        pipeline.expire(self._names.quarantine, KEEP)

    def _note(self, label: str, reason: Reason) -> None:
        self.counts[reason] += 1
        log().error("message_quarantined", queue=label, reason=reason.value)
