"""When the oldest message that still waits was put on each stream."""

from datetime import UTC, datetime

from app.worker.broker import StreamBroker
from app.worker.names import LABELS


async def oldest_waiting(broker: StreamBroker) -> dict[str, datetime | None]:
    """For each queue the time of its first message, by the broker's clock; ``None``: it is empty.

    Messages are deleted once they are acknowledged, so the first one is not worked off yet.
    """
    pipeline = broker.client.pipeline(transaction=False)
    for label in LABELS:
        pipeline.xrange(broker.names.stream(label), count=1)
    entries = await pipeline.execute()
    return {
        label: _time_of(found[0][0]) if found else None
        for label, found in zip(LABELS, entries, strict=True)
    }


def _time_of(message_id: bytes) -> datetime:
    milliseconds = int(bytes(message_id).partition(b"-")[0])
    return datetime.fromtimestamp(milliseconds / 1000, UTC)
