"""What is known of one item in the end: by its rows, by the providers, by who decided about it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from local.faults.blows import Hit
from local.faults.ledger import Request, Told
from local.faults.operators import Asked

RANKS = {
    "email": ("in_flight", "delivered", "failed"),
    "sms": ("in_flight", "failed", "delivered"),
}
"""An email may bounce after it was delivered; of an SMS a failure may be taken back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """A row of ``attempts``; times in seconds since 1970."""

    id: UUID
    number: int
    started: float
    ended: float | None = None
    outcome: str | None = None
    doubtful: bool = False
    report: str | None = None
    text: str = ""

    @property
    def admits(self) -> bool:
        """Whether the row says that the message was, or may have been, taken."""
        return self.outcome in ("accepted", "unknown") or self.doubtful or self.report is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A row of ``item_history``."""

    transition: str
    before: str | None
    after: str
    actor: str
    at: float
    attempt: UUID | None = None
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A row of ``delivery_events``."""

    at: float
    status: str
    verdict: str | None
    applied: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A row of ``queue_items`` with all that belongs to it."""

    id: UUID
    method: str
    channel: str
    state: str
    error_kind: str | None = None
    attempt: UUID | None = None
    result: str = ""
    copy_of: UUID | None = None
    order: str = ""
    queued: float = 0.0
    attempts: Sequence[Attempt] = ()
    moves: Sequence[Move] = ()
    events: Sequence[Event] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """``person`` is how the history names operators; ``hits`` are all of the campaign.

    It was not to be sent before ``due``.
    """

    item: Item
    due: float = 0.0
    requests: Sequence[Request] = ()
    told: Sequence[Told] = ()
    asked: Sequence[Asked] = ()
    hits: Sequence[Hit] = field(default=())
    person: str = "campaign/operators"

    @property
    def state(self) -> str:
        return self.item.state

    @property
    def unknown(self) -> bool:
        """Whether the item says that nobody knows if it was sent."""
        return self.item.error_kind == "outcome_unknown"

    def taken(self) -> list[Request]:
        """What providers took, each message once that is one to its provider."""
        seen: dict[object, Request] = {}
        for request in self.requests:
            if request.taken is not None:
                seen.setdefault(request.message, request)
        return list(seen.values())

    def attempt_of(self, request: Request) -> Attempt | None:
        """The attempt that a request was part of: the one whose key it carries, else by time."""
        if request.attempt is not None:
            return next((a for a in self.item.attempts if a.id == request.attempt), None)
        before = [a for a in self.item.attempts if a.started <= request.at]
        return max(before, key=lambda a: a.number, default=None)

    def requests_in(self, attempt: Attempt) -> Iterator[Request]:
        return (r for r in self.requests if self.attempt_of(r) is attempt)

    def words(self) -> dict[object, str]:
        """What is to be believed of each message after all that the application took about it."""
        ranks = RANKS[self.item.method]
        believed: dict[object, str] = {}
        for told in self.told:
            if told.heard:
                words = (told.word, believed.get(told.message, told.word))
                believed[told.message] = max(words, key=ranks.index)
        return believed

    def was_delivered(self) -> bool:
        """Whether that is to be believed of any message."""
        return "delivered" in self.words().values()

    def has_failed(self) -> bool:
        """Whether that is to be believed of the message of the current attempt."""
        current = self.current()
        if current is None:
            return False
        words = self.words()
        return "failed" in {words.get(request.message) for request in self.requests_in(current)}

    def current(self) -> Attempt | None:
        return next((a for a in self.item.attempts if a.id == self.item.attempt), None)
