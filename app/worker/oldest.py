"""When the oldest message that still waits was put on each stream."""

from datetime import UTC, datetime

from app.worker.broker import StreamBroker
from app.worker.connection import is_wrong_type
from app.worker.names import LABELS


async def oldest_waiting(broker: StreamBroker) -> dict[str, datetime | None]:
    """For each queue the time of its first message, by the broker's clock; ``None``: it is empty.

    A queue whose key is no stream is left out: nothing can be put on it.

    Messages are deleted once they are acknowledged, so the first one is not worked off yet.
    """
    pipeline = broker.client.pipeline(transaction=False)
    for label in LABELS:
        pipeline.xrange(broker.names.stream(label), count=1)
    entries = await pipeline.execute(raise_on_error=False)
    return {
        label: _time_of(found[0][0]) if found else None
        for label, found in zip(LABELS, entries, strict=True)
        if not _is_no_stream(found)
    }


def _is_no_stream(answer: object) -> bool:
    if isinstance(answer, Exception) and not is_wrong_type(answer):
        raise answer
    return isinstance(answer, Exception)


def _time_of(message_id: bytes) -> datetime:
    milliseconds = int(bytes(message_id).partition(b"-")[0])
    return datetime.fromtimestamp(milliseconds / 1000, UTC)
