"""What operators do: with items, one or many, with channels, reports and dead letters."""

from app.controllers.api.operating import (
    channels,
    events,
    failed_jobs,
    items,
    many,
    operations,
    resend,
)
from app.controllers.api.operation import Operation

OPERATIONS: tuple[Operation, ...] = (
    *items.OPERATIONS,
    *many.OPERATIONS,
    *resend.OPERATIONS,
    *operations.OPERATIONS,
    *channels.OPERATIONS,
    *events.OPERATIONS,
    *failed_jobs.OPERATIONS,
)
