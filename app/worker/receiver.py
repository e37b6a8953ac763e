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
from app.worker.port import Mailbox
from app.worker.pulse import OFTEN, Pulse
from app.worker.takeover import TakeOver

GATHER = 0.005
"""Seconds in which room gathers while the worker is full, so that one read fills more of it."""
FULL = 0.1
"""Seconds between two looks while there is less room than queues, or none for one of them."""


class Receiver:
    """Hands each message to ``begin``, ``most`` of them at most.

    ``found_nothing``: the last look found no message that is new.
    """

    def __init__(
        self,
        mailbox: Mailbox,
        deliveries: Deliveries,
        take_over: TakeOver,
        labels: Sequence[str],
        pace: Pace,
        begin: Callable[[Delivery], None],
        most: int | None = None,
        pulse: Pulse | None = None,
        worker_id: str = "",
    ) -> None:
        self._mailbox = mailbox
        self._deliveries = deliveries
        self._take_over = take_over
        self._labels = labels
        self._pace = pace
        self._begin = begin
        self._pulse = pulse or Pulse()
        self._worker_id = worker_id
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
            self._pulse.beat()
            await self._wait_for_room()
            try:
                if not ready:
                    await self._prepare()
                    ready = True
                await self._receive()
                self._outage.over()
            except AWAY as error:
                ready = False
                self._pulse.beat()
                await self._outage.sit_out(error)

    async def _prepare(self) -> None:
        await self._mailbox.prepare()
        if self._worker_id:
            await self._take_over.give_up_previous(self._worker_id)
            self._worker_id = ""

    def allow_one_more(self) -> None:
        """A message that was begun did not count."""
        self._left += 1

    @property
    def _room(self) -> int:
        return int(min(self._deliveries.room, self._left))

    async def _wait_for_room(self) -> None:
        while self._room < 1:
            await self._until_freed(OFTEN)
            self._pulse.beat()

    async def _until_freed(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._deliveries.freed(), seconds)
            await asyncio.sleep(GATHER)

    def _room_for(self, label: str) -> int:
        return min(self._room, self._deliveries.room_for(label))

    async def _receive(self) -> None:
        if self._due_to_look():
            await self._mailbox.look_again()
            if self._start(await self._take_over.take(self._room, self._room_for)):
                return
        # After a wait in vain only another wait: a worker at rest asks once in a while.
        if not self._waited_in_vain and await self._sweep():
            return
        if self._room < len(self._labels) or any(self._room_for(la) < 1 for la in self._labels):
            # A waiting read could bring more than there is room for, or miss a place that is freed.
            self._waited_in_vain = False
            await self._until_freed(FULL)
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
            if (room := self._room_for(label)) > 0:
                new = await self._mailbox.read(label, room)
                found |= self._start(new)
                if len(new) >= room:
                    # There may be more of it; a place that is freed meanwhile is not for others.
                    break
        self.found_nothing = not found
        return found

    async def _wait(self) -> bool:
        seconds = min(self._pace.block, max(0.0, self._next_look - time.monotonic()))
        share = self._room // len(self._labels)
        room = min(share, *map(self._room_for, self._labels))
        return self._start(await self._mailbox.wait(self._labels, room, seconds))

    def _start(self, deliveries: Sequence[Delivery]) -> bool:
        for delivery in deliveries:
            self._left -= 1
            self._begin(delivery)
        return bool(deliveries)
