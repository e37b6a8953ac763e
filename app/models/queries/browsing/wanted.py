"""What somebody wants of a list."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import NamedTuple
from uuid import UUID

from app.workflow import DONE, State

NOT_DONE = tuple(state for state in State if state not in DONE)
ALL_DONE = tuple(state for state in State if state in DONE)
METHODS = ("email", "sms")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What items of a list have in common; what is ``None`` doesn't matter.

    ``states`` is never empty, and holds either done states or others. Ranges include their
    beginning and not their end. ``receiver`` is a whole address or number, upper and lower case
    being the same; ``message_id`` the provider's. ``text`` is searched in name and address, and
    with ``results`` also in what a failed item says; upper and lower case being the same.
    """

    states: tuple[State, ...]
    method: str | None = None
    error_kind: str | None = None
    queued_from: datetime | None = None
    queued_until: datetime | None = None
    finished_from: datetime | None = None
    finished_until: datetime | None = None
    receiver: str | None = None
    origin_type: str | None = None
    origin_id: str | None = None
    tag: str | None = None
    created_by: str | None = None
    message_id: str | None = None
    text: str | None = None
    results: bool = field(default=False)

    @property
    def done(self) -> bool:
        return self.states[0] in DONE


class Order(Enum):
    """Orders that have an index; the value is (column, descending)."""

    NEWEST = ("queued", True)
    OLDEST = ("queued", False)
    LAST_FINISHED = ("finished_at", True)
    FIRST_FINISHED = ("finished_at", False)

    @property
    def column(self) -> str:
        return self.value[0]

    @property
    def descending(self) -> bool:
        return self.value[1]


class Key(NamedTuple):
    """Where an item stands in an order."""

    at: datetime
    id: UUID


class Page(NamedTuple):
    """``last`` is where the next page begins; ``None`` when there is none.

    A page with a ``last`` may hold fewer items than were asked for, even none.
    """

    keys: list[Key]
    last: Key | None
