"""Wires what operators do to many items, and the copying of sent ones."""

from uuid import UUID

from app.items import bulk_operations
from app.items.resend_items import clone
from app.jobs.run_bulk_operation import ResumeBulkOperations, RunBulkOperation
from app.models import sent_item
from app.worker.known import reference
from app.worker.queue import Queue
from app.worker.ticks import Tick

RESUME_EVERY = 30.0


def wire(queue: Queue) -> None:
    """Bulk operations reach the workers by a job, and by the ticker when that is lost."""
    bulk_operations.use(hand_over)
    sent_item.use(clone)
    job = reference(ResumeBulkOperations)
    queue.ticks.append(Tick("bulk_operations", RESUME_EVERY, job, at_rest=2 * RESUME_EVERY))


async def hand_over(operation_id: UUID) -> None:
    await RunBulkOperation.dispatch(str(operation_id))
