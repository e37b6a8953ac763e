from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from app.models import record
from app.models.record import Record


class Receiver(Record):
    """Somebody who gets messages; ``cell`` is an E.164 number.

    A change of address here changes no item: each keeps the one that it was composed with.
    """

    __table_name__ = "receivers"
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
