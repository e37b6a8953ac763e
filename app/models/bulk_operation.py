import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar, Self, cast, override
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSONB

from app.models import record
from app.models.record import Record
from app.models.statements import Row


class BulkOperation(Record):
    """A decision about all items that match a filter, worked off page by page.

    ``total`` matched when it was asked for (``more``: at least so many). ``done``, ``refused`` and
    ``unknown`` (may have been sent, and was not confirmed) count up; what is missing from the total
    in the end had changed by itself before its turn came.
    """

    __view__ = "bulk_operations"
    __fields__: ClassVar[dict[str, Any]] = {
        "id": record.UUID,
        "action": record.TEXT,
        "actor": record.TEXT,
        "filter": JSONB(),
        "confirm": record.FLAG,
        "state": record.TEXT,
        "total": sa.Integer(),
        "more": record.FLAG,
        "done": sa.Integer(),
        "refused": sa.Integer(),
        "unknown": sa.Integer(),
        "cancelled_by": record.TEXT,
        "request_id": record.UUID,
        "created": record.TIME,
        "last_updated": record.TIME,
        "finished_at": record.TIME,
    }

    id: UUID
    action: str
    actor: str
    filter: dict[str, str]
    confirm: bool
    state: str
    total: int
    more: bool
    done: int
    refused: int
    unknown: int
    cancelled_by: str | None
    request_id: UUID | None
    created: datetime
    last_updated: datetime
    finished_at: datetime | None

    @classmethod
    @override
    def from_row(cls, row: Row) -> Self:
        values = dict(cast("Mapping[str, Any]", row))
        if isinstance(values["filter"], str):
            values["filter"] = json.loads(values["filter"])
        return cls._hydrate(values)

    @property
    def running(self) -> bool:
        return self.state == "running"

    @property
    def changed(self) -> int:
        """Items that had changed by themselves before their turn came; 0 until it is finished."""
        worked = self.done + self.refused + self.unknown
        return max(0, self.total - worked) if self.state == "finished" else 0
