"""Letting an item be sent that was set up without that."""

from uuid import UUID

from app.items.publish import publish_after_commit
from app.models.queries import compose_schedule as queries
from app.models.queue_item import QueueItem


async def schedule_queue_item(item: QueueItem | UUID) -> bool:
    """Send an item of ``add_abstract_email`` from now on, or from its ``send_at`` on.

    It is published after the caller's transaction commits. False when the item is scheduled
    already, was cancelled meanwhile or doesn't exist: then nothing happens.
    """
    scheduled, due = await queries.schedule(item if isinstance(item, UUID) else item.id)
    await publish_after_commit([due] if due else [])
    return scheduled
