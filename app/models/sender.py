from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from app.models import record
from app.models.record import Record


class Sender(Record):
    """Somebody in whose name messages are sent; ``cell`` is an E.164 number."""

    __table_name__ = "senders"
    __fields__: ClassVar[dict[str, Any]] = {
        "id": record.UUID,
        "name": record.TEXT,
        "email": record.TEXT,
        "cell": record.TEXT,
        "created": record.TIME,
    }
    __fillable__: ClassVar[list[str]] = ["name", "email", "cell"]

    id: UUID
    name: str
    email: str | None
    cell: str | None
    created: datetime
