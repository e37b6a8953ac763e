"""The messages that a worker has of the server and has not acknowledged.

The server gives them to somebody else when the connection ends, and only then. So what was given up
here, or delivered too often, is found by this worker itself.
"""

import time
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from aiormq.abc import AbstractChannel

from app.worker.delivery import Delivery
from app.worker.pace import DELIVERIES

REMEMBERED = 5000
"""Messages that are done, of which the server may not know."""

type Key = tuple[str, bytes]


@dataclass(slots=True)
class Held:
    """``earlier``: how often it was delivered and came back. ``since``: its last sign of life."""

    delivery: Delivery
    tag: int
    channel: AbstractChannel
    earlier: int
    fresh: bool = True
    since: float = field(default_factory=time.monotonic)

    @property
    def is_worn(self) -> bool:
        return self.earlier >= DELIVERIES


class Holding:
    def __init__(self) -> None:
        self._held: dict[Key, Held] = {}
        self._fresh: dict[str, deque[Held]] = {}
        self._done: OrderedDict[Key, None] = OrderedDict()

    def __contains__(self, key: object) -> bool:
        return key in self._held

    def __iter__(self) -> Iterator[Held]:
        yield from list(self._held.values())

    def silent(self, label: str, seconds: float) -> Iterator[Held]:
        """Those of a queue that were begun and gave no sign of life for so long."""
        now = time.monotonic()
        for held in self:
            if held.delivery.label == label and not held.fresh and now - held.since > seconds:
                yield held

    def add(self, held: Held) -> None:
        """One that may be begun; one that was delivered too often waits to be put aside."""
        self._held[held.delivery.key] = held
        if held.is_worn:
            held.fresh = False
            held.since = -float("inf")
        else:
            self._fresh.setdefault(held.delivery.label, deque()).append(held)

    def begin(self, label: str, count: int) -> list[Delivery]:
        """At most ``count`` that were not begun, the oldest first."""
        waiting = self._fresh.get(label, deque())
        begun = [waiting.popleft() for _ in range(min(count, len(waiting)))]
        for held in begun:
            held.fresh = False
        self.beat(label, [held.delivery.id for held in begun])
        return [held.delivery for held in begun]

    def move(self, key: Key, tag: int, channel: AbstractChannel) -> None:
        """It came again on another channel, while we are at work on it."""
        held = self._held[key]
        held.tag, held.channel = tag, channel

    def beat(self, label: str, ids: Iterable[bytes]) -> None:
        for identifier in ids:
            if (held := self._held.get((label, identifier))) is not None:
                held.since = time.monotonic()

    def end(self, key: Key) -> Held | None:
        """Its work is done, whatever becomes of the acknowledgement."""
        self._done[key] = None
        if len(self._done) > REMEMBERED:
            self._done.popitem(last=False)
        return self.drop(key)

    def is_done(self, key: Key) -> bool:
        return key in self._done

    def drop(self, key: Key) -> Held | None:
        return self._held.pop(key, None)

    @property
    def has_fresh(self) -> bool:
        return any(self._fresh.values())

    def drop_fresh(self) -> list[Held]:
        """Forget what was not begun: it will come again, to whomever."""
        dropped = [held for waiting in self._fresh.values() for held in waiting]
        for held in dropped:
            self.drop(held.delivery.key)
        self._fresh.clear()
        return dropped
