from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSONB

from app.models import record
from app.models.record import Record


class EmailMessage(Record):
    """The content of an email, shared by the items of all its receivers."""

    __view__ = "email_messages"
    __fields__: ClassVar[dict[str, Any]] = {
        "id": record.UUID,
        "sender_id": record.UUID,
        "sender_name": record.TEXT,
        "sender_address": record.TEXT,
        "subject": record.TEXT,
        "text": record.TEXT,
        "html": record.TEXT,
        "headers": JSONB(),
        "tags": sa.ARRAY(record.TEXT),
        "queued": record.TIME,
    }

    id: UUID
    sender_id: UUID | None
    sender_name: str
    sender_address: str
    subject: str
    text: str
    html: str
    headers: dict[str, str]
    tags: list[str]
    queued: datetime
