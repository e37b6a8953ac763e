from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from sqlalchemy.dialects.postgresql import JSONB

from app.models import record
from app.models.record import Record


class DeliveryEvent(Record):
    """What a provider reported, as it came (``raw``) and as it is understood.

    ``occurred_at`` is the provider's clock, ``received_at`` ours; ``verdict`` says what applying
    it came to.
    """

    __view__ = "delivery_events"
    __fields__: ClassVar[dict[str, Any]] = {
        "id": record.UUID,
        "provider": record.TEXT,
        "event_key": record.TEXT,
        "attempt_id": record.UUID,
        "item_id": record.UUID,
        "message_id": record.TEXT,
        "attempt_key": record.UUID,
        "item_key": record.UUID,
        "recipient": record.TEXT,
        "type": record.TEXT,
        "report": record.TEXT,
        "status": record.TEXT,
        "code": record.TEXT,
        "text": record.TEXT,
        "reason": record.TEXT,
        "occurred_at": record.TIME,
        "received_at": record.TIME,
        "applied_at": record.TIME,
        "verdict": record.TEXT,
        "failures": record.SMALL,
        "raw": JSONB(),
    }

    id: UUID
    provider: str
    event_key: str
    attempt_id: UUID | None
    item_id: UUID | None
    message_id: str | None
    attempt_key: UUID | None
    item_key: UUID | None
    recipient: str
    type: str
    report: str
    status: str
    code: str
    text: str
    reason: str
    occurred_at: datetime | None
    received_at: datetime
    applied_at: datetime | None
    verdict: str | None
    failures: int
    raw: dict[str, Any]
