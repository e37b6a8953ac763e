from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from app.models import record
from app.models.record import Record


class SmsMessage(Record):
    """The content of an SMS; an empty ``sender_number`` leaves the choice to the channel."""

    __view__ = "sms_messages"
    __fields__: ClassVar[dict[str, Any]] = {
        "id": record.UUID,
        "sender_id": record.UUID,
        "sender_number": record.TEXT,
        "body": record.TEXT,
        "media_url": record.TEXT,
        "queued": record.TIME,
    }

    id: UUID
    sender_id: UUID | None
    sender_number: str
    body: str
    media_url: str | None
    queued: datetime
