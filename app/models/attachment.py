from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

import sqlalchemy as sa

from app.models import record
from app.models.record import Record


class Attachment(Record):
    """A file by the name that it is sent under; files of the same content share one blob."""

    __view__ = "attachments"
    __fields__: ClassVar[dict[str, Any]] = {
        "id": record.UUID,
        "sha256": record.TEXT,
        "name": record.TEXT,
        "content_type": record.TEXT,
        "size": sa.BigInteger(),
        "created": record.TIME,
    }

    id: UUID
    sha256: str
    name: str
    content_type: str
    size: int
    created: datetime
