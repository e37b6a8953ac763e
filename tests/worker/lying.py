"""What lies on the queues, whichever broker they are on."""

from app.worker.names import LABELS
from app.worker.queue import Queue


async def left(queue: Queue) -> list[int]:
    """How many messages each queue holds, the most urgent first."""
    found = {r.labels[0]: int(r.value) for r in await queue.broker.gauges() if r.gauge == "stream"}
    return [found[label] for label in LABELS]


async def is_empty(queue: Queue) -> bool:
    return not any(await left(queue))


async def set_aside(queue: Queue) -> int:
    """How many messages are in quarantine."""
    return next(int(r.value) for r in await queue.broker.gauges() if r.gauge == "quarantine")
