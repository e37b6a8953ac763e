"""Messages that this worker holds: from delivery until they are acknowledged or given up."""

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Delivery:
    """A message as it came from the broker; nothing in it is checked yet."""

    label: str
    id: bytes
    data: bytes
    signature: bytes

    @property
    def key(self) -> tuple[str, bytes]:
        return self.label, self.id


class Deliveries:
    """What is held, at most ``limit`` at once, and of some queues less: ``limits``."""

    def __init__(self, limit: int, limits: Mapping[str, int] | None = None) -> None:
        self._limit = limit
        self._limits = limits or {}
        self._count = Counter[str]()
        self._held: dict[tuple[str, bytes], Delivery] = {}
        self._freed = asyncio.Event()

    @property
    def room(self) -> int:
        return self._limit - len(self._held)

    def room_for(self, label: str) -> int:
        """How many more of one queue."""
        return min(self.room, self._limits.get(label, self._limit) - self._count[label])

    def __len__(self) -> int:
        return len(self._held)

    def holds(self, label: str, identifier: bytes) -> bool:
        return (label, identifier) in self._held

    def add(self, delivery: Delivery) -> None:
        if delivery.key not in self._held:
            self._count[delivery.label] += 1
        self._held[delivery.key] = delivery

    def drop(self, delivery: Delivery) -> None:
        if self._held.pop(delivery.key, None) is not None:
            self._count[delivery.label] -= 1
            self._freed.set()

    async def freed(self) -> None:
        """Wait until a message is acknowledged or given up."""
        self._freed.clear()
        await self._freed.wait()

    def by_label(self) -> Iterator[tuple[str, list[bytes]]]:
        grouped: dict[str, list[bytes]] = {}
        for label, identifier in self._held:
            grouped.setdefault(label, []).append(identifier)
        yield from grouped.items()
