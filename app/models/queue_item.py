from datetime import datetime
from typing import Any, ClassVar, Self, override
from uuid import UUID

import sqlalchemy as sa
from arvel.database import Builder

from app.models import record
from app.models.record import Record

STORED: dict[str, Any] = {
    "id": record.UUID,
    "method": record.TEXT,
    "channel": record.TEXT,
    "priority": record.TEXT,
    "state": record.TEXT,
    "email_id": record.UUID,
    "sms_id": record.UUID,
    "queued": record.TIME,
    "send_at": record.TIME,
    "expires_at": record.TIME,
    "due_at": record.TIME,
    "dispatched_at": record.TIME,
    "task_id": record.TEXT,
    "attempt_id": record.UUID,
    "attempts": record.SMALL,
    "lease_until": record.TIME,
    "retries": record.SMALL,
    "retry_delay": sa.REAL(),
    "error_kind": record.TEXT,
    "result": record.TEXT,
    "message_id": record.TEXT,
    "delivered_after_cancel": record.FLAG,
    "accepted_at": record.TIME,
    "finished_at": record.TIME,
    "cloned_from": record.UUID,
    "last_updated": record.TIME,
}

WRITTEN_ONCE = (
    "receiver_id",
    "receiver_name",
    "receiver_address",
    "role",
    "origin_type",
    "origin_id",
    "tags",
)
"""What ``item_search`` holds about an item."""


def with_what_never_changes(builder: Builder[Any]) -> None:
    """Makes an item whole: its receiver and origin stand in a table of their own."""
    builder.join("item_search", "queue_items.id", "=", "item_search.item_id")
    builder.select(*STORED, *(f"item_search.{column}" for column in WRITTEN_ONCE))


class QueueItem(Record):
    """One message to one receiver: what it is now, read only."""

    __view__ = "queue_items"
    __fields__: ClassVar[dict[str, Any]] = STORED
    __global_scopes__: ClassVar[dict[str, Any]] = {"whole": with_what_never_changes}

    id: UUID
    method: str
    channel: str
    priority: str
    state: str
    email_id: UUID | None
    sms_id: UUID | None
    queued: datetime
    send_at: datetime | None
    expires_at: datetime | None
    due_at: datetime | None
    dispatched_at: datetime | None
    task_id: str | None
    attempt_id: UUID | None
    attempts: int
    lease_until: datetime | None
    retries: int
    retry_delay: float | None
    error_kind: str | None
    result: str | None
    message_id: str | None
    delivered_after_cancel: bool
    accepted_at: datetime | None
    finished_at: datetime | None
    cloned_from: UUID | None
    last_updated: datetime

    receiver_id: UUID | None
    receiver_name: str
    receiver_address: str
    role: str
    origin_type: str | None
    origin_id: str | None
    tags: list[str]

    @classmethod
    @override
    def _hydrate(cls, row: dict[str, Any]) -> Self:
        # arvel names a joined column by its table too.
        return super()._hydrate({name.rpartition(".")[2]: value for name, value in row.items()})

    @property
    def done_since(self) -> datetime:
        """The time of creation, which a retry keeps; SMS time out from here."""
        return self.queued

    @property
    def message_sid(self) -> str | None:
        """Twilio's name for the message id of an SMS."""
        return self.message_id if self.method == "sms" else None

    @property
    def origin(self) -> tuple[str, str] | None:
        """Type and id of the record that caused the message."""
        if self.origin_type is None or self.origin_id is None:
            return None
        return self.origin_type, self.origin_id
