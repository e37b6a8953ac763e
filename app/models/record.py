"""What the models have in common."""

import uuid
from collections.abc import Mapping
from typing import Any, ClassVar, Self, cast, override

import sqlalchemy as sa
from arvel.database import Model

from app.models.statements import Row

TEXT = sa.Text()
UUID = sa.Uuid()
TIME = sa.DateTime(timezone=True)
SMALL = sa.SmallInteger()
FLAG = sa.Boolean()


class Record(Model):
    """A row with a UUIDv7 key that the application makes.

    Times are plain aware ``datetime``s. A model that names its table as ``__view__`` can't be
    written: what it shows changes only by the statements of ``app/models/queries``.
    """

    __timestamps__: ClassVar[bool] = False

    @classmethod
    def from_row(cls, row: Row) -> Self:
        """The instance of a row that one of our own statements returned."""
        return cls._hydrate(dict(cast("Mapping[str, Any]", row)))

    @classmethod
    @override
    def _uses_unique_ids(cls) -> bool:
        return True

    def _new_unique_id(self) -> uuid.UUID:
        return uuid.uuid7()

    @override
    def __repr__(self) -> str:
        # arvel's shows every column, and so puts addresses and bodies into logs and tracebacks.
        return f"{type(self).__name__}(id={self.id})"
