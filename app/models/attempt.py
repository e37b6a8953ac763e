from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from app.models import record
from app.models.record import Record


class Attempt(Record):
    """One transmission of an item: its key is what the message carries, for reports to find it."""

    __view__ = "attempts"
    __fields__: ClassVar[dict[str, Any]] = {
        "id": record.UUID,
        "item_id": record.UUID,
        "number": record.SMALL,
        "provider": record.TEXT,
        "provider_key": record.UUID,
        "message_id": record.TEXT,
        "recipient": record.TEXT,
        "outcome": record.TEXT,
        "may_have_been_sent": record.FLAG,
        "recovered": record.FLAG,
        "report": record.TEXT,
        "code": record.TEXT,
        "text": record.TEXT,
        "started_at": record.TIME,
        "ended_at": record.TIME,
    }

    id: UUID
    item_id: UUID
    number: int
    provider: str
    provider_key: UUID
    message_id: str | None
    recipient: str
    outcome: str | None
    may_have_been_sent: bool
    recovered: bool
    report: str | None
    code: str | None
    text: str | None
    started_at: datetime
    ended_at: datetime | None
