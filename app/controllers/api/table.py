"""Every operation of the API: routes, documents and tests are made from this."""

from app.controllers.api import access, attachments, documents, items, operating, sending, workflow
from app.controllers.api.operation import Operation

OPERATIONS: tuple[Operation, ...] = (
    *workflow.OPERATIONS,
    *items.OPERATIONS,
    *operating.OPERATIONS,
    *sending.OPERATIONS,
    *access.OPERATIONS,
    *attachments.OPERATIONS,
    *documents.OPERATIONS,
)
