"""Wires the publish port of items to the queue."""

from collections.abc import Sequence
from contextvars import ContextVar
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from arvel.queue import Job

from app.items import publish
from app.jobs.apply_delivery_event import ApplyDeliveryEvent
from app.jobs.send_message import SendMessage
from app.models.queries.publish import Due
from app.worker.names import LABELS
from app.worker.publisher import log_unpublished
from app.worker.queue import Queue

_told: ContextVar[bool] = ContextVar("publisher_tells_the_caller", default=False)


def wire(queue: Queue) -> None:
    """Items reach the broker by :class:`SendMessage`; failing to is a cause of its own."""
    publish.use(partial(hand_over, queue))
    queue.found_again |= {SendMessage, ApplyDeliveryEvent}
    queue.on_publish_failed = note_failure


async def hand_over(queue: Queue, items: Sequence[Due]) -> bool:
    """One pipeline for all items; whether all of them can be relied on to be on the broker."""
    token = _told.set(True)
    try:
        jobs = [((str(item.item_id),), item.priority) for item in items]
        return bool(await queue.push_many(SendMessage, jobs, after_commit=False))
    finally:
        _told.reset(token)


async def note_failure(job_cls: type[Job], args: list[tuple[Any, ...]]) -> None:
    """A ``SendMessage`` that somebody dispatched directly; what items publish is told of itself."""
    if job_cls is not SendMessage:
        await log_unpublished(job_cls, args)
    elif not _told.get():
        await publish.fail_to_publish([(UUID(str(given[0])), None) for given in args])


async def oldest(queue: Queue) -> dict[str, datetime | None]:
    """What the sweep asks the broker; without one nothing waits anywhere."""
    if queue.on_broker:
        return await queue.broker.oldest()
    return dict.fromkeys(LABELS)
