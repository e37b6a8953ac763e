"""A job with an argument of every shape."""

from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar
from uuid import UUID

from arvel.queue import Job

if TYPE_CHECKING:
    from somewhere import Thing


class Color(StrEnum):
    RED = "red"


class Shaped(Job):
    declared: str | None = None
    counted: ClassVar[int] = 0

    def __init__(
        self,
        item_id: UUID,
        number: int = 0,
        later: datetime | None = None,
        words: list[str] | tuple[str, ...] = (),
        color: Color = Color.RED,
        tree: dict[str, Any] | None = None,
        untyped=None,
    ) -> None:
        self.item_id = item_id
        self.number = number
        self.later = later
        self.words = words
        self.color = color
        self.tree = tree
        self.untyped = untyped

    async def handle(self) -> None: ...


class Puzzling(Job):
    def __init__(self, key: Thing) -> None:
        self.key = key

    async def handle(self) -> None: ...
