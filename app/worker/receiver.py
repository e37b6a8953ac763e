"""Reads messages, as many as there is room for, the most urgent first."""

import asyncio
import contextlib
import math
import time
from collections.abc import Callable, Sequence

from app.worker.connection import AWAY
from app.worker.delivery import Deliveries, Delivery
from app.worker.outage import Outage
from app.worker.pace import Pace
from app.worker.streams import Streams
from app.worker.takeover import TakeOver

GATHER = 0.005
"""Seconds in which room gathers while the worker is full, so that one read fills more of it."""
FULL = 0.1
"""Seconds between two looks while there is less room than queues, too little to wait for one."""


class Receiver:
    """Hands each message to ``begin``, ``most`` of them at most.

    ``found_nothing``: the last look found no message that is new.
    """

    def __init__(
        self,
        streams: Streams,
        deliveries: Deliveries,
        take_over: TakeOver,
        labels: Sequence[str],
        pace: Pace,
        begin: Callable[[Delivery], None],
        most: int | None = None,
    ) -> None:
        self._streams = streams
        self._deliveries = deliveries
        self._take_over = take_over
        self._labels = labels
        self._pace = pace
        self._begin = begin
        self._outage = Outage("broker")
        self._next_look = 0.0
        self._waited_in_vain = False
        self.found_nothing = False
        self._left: float = math.inf if most is None else most

    async def run(self) -> None:
        """Until cancelled; outlives every absence of the broker.

        Raises:
            ServerTooOld: the broker lacks the commands that this needs.
        """
        ready = False
        while True:
            await self._wait_for_room()
            try:
                if not ready:
                    await self._streams.prepare()
                    ready = True
                await self._receive()
                self._outage.over()
            except AWAY as error:
                ready = False
                await self._outage.sit_out(error)

    def allow_one_more(self) -> None:
        """A message that was begun did not count."""
        self._left += 1

    @property
    def _room(self) -> int:
        return int(min(self._deliveries.room, self._left))

    async def _wait_for_room(self) -> None:
        while self._room < 1:
            await self._deliveries.freed()
            await asyncio.sleep(GATHER)

    async def _receive(self) -> None:
        if self._due_to_look():
            await self._streams.look_again()
            if self._start(await self._take_over.take(self._room)):
                return
        # After a wait in vain only another wait: a worker at rest asks once in a while.
        if not self._waited_in_vain and await self._sweep():
            return
        if self._room < len(self._labels):
            await self._let_room_grow()
        else:
            self._waited_in_vain = not await self._wait()

    def _due_to_look(self) -> bool:
        now = time.monotonic()
        if now < self._next_look:
            return False
        self._next_look = now + self._pace.look
        return True

    async def _sweep(self) -> bool:
        """Take what is there, by urgency; whether that was anything."""
        found = False
        for label in self._labels:
            if self._room > 0:
                found |= self._start(await self._streams.read(label, self._room))
        self.found_nothing = not found
        return found

    async def _wait(self) -> bool:
        seconds = min(self._pace.block, max(0.0, self._next_look - time.monotonic()))
        room = self._room // len(self._labels)
        return self._start(await self._streams.wait(self._labels, room, seconds))

    async def _let_room_grow(self) -> None:
        # A waiting read could bring a message of each queue: more than there is room for now.
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._deliveries.freed(), FULL)

    def _start(self, deliveries: Sequence[Delivery]) -> bool:
        for delivery in deliveries:
            self._left -= 1
            self._begin(delivery)
        return bool(deliveries)
