"""Every operation of the API: routes, documents and tests are made from this."""

from app.controllers.api import access, documents, operating, workflow
from app.controllers.api.operation import Operation

OPERATIONS: tuple[Operation, ...] = (
    *workflow.OPERATIONS,
    *operating.OPERATIONS,
    *access.OPERATIONS,
    *documents.OPERATIONS,
)
