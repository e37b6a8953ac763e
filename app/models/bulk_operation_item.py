from typing import Any, ClassVar
from uuid import UUID

from app.models import record
from app.models.record import Record


class BulkOperationItem(Record):
    """What came of one item in a bulk operation: ``done``, ``refused`` or ``unknown``."""

    __view__ = "bulk_operation_items"
    __primary_key__ = "item_id"
    __fields__: ClassVar[dict[str, Any]] = {
        "operation_id": record.UUID,
        "item_id": record.UUID,
        "result": record.TEXT,
        "state": record.TEXT,
        "text": record.TEXT,
        "copy_id": record.UUID,
    }

    operation_id: UUID
    item_id: UUID
    result: str
    state: str
    text: str
    copy_id: UUID | None
