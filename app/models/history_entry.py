from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

import sqlalchemy as sa

from app.models import record
from app.models.record import Record


class HistoryEntry(Record):
    """One change of state: who or what made it, and why. Append-only; ``id`` counts up."""

    __view__ = "item_history"
    __fields__: ClassVar[dict[str, Any]] = {
        "id": sa.BigInteger(),
        "item_id": record.UUID,
        "attempt_id": record.UUID,
        "transition": record.TEXT,
        "from_state": record.TEXT,
        "to_state": record.TEXT,
        "actor": record.TEXT,
        "text": record.TEXT,
        "detail": record.TEXT,
        "at": record.TIME,
    }

    id: int
    item_id: UUID
    attempt_id: UUID | None
    transition: str
    from_state: str | None
    to_state: str
    actor: str
    text: str | None
    detail: str | None
    at: datetime
