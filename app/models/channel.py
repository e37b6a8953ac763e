from datetime import datetime
from typing import Any, ClassVar

from app.models import record
from app.models.record import Record


class Channel(Record):
    """A provider account that was paused at some time; one that never was has no row."""

    __view__ = "channels"
    __primary_key__ = "name"
    __fields__: ClassVar[dict[str, Any]] = {
        "name": record.TEXT,
        "paused_until": record.TIME,
        "pause_reason": record.TEXT,
    }

    name: str
    paused_until: datetime | None
    pause_reason: str | None
