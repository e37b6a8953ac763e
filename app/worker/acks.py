"""Acknowledges finished messages, many in one go; a message is held until that is done."""

import asyncio
import contextlib

from app.jobs.faults import reach
from app.worker.connection import AWAY
from app.worker.delivery import Deliveries, Delivery
from app.worker.port import Mailbox

WINDOW = 0.01
"""Seconds in which acknowledgements gather while there is room for more work."""
AGAIN = 0.5


class Acks:
    def __init__(self, mailbox: Mailbox, deliveries: Deliveries) -> None:
        self._mailbox = mailbox
        self._deliveries = deliveries
        self._done: list[Delivery] = []
        self._some = asyncio.Event()

    def add(self, delivery: Delivery) -> None:
        self._done.append(delivery)
        self._some.set()

    async def run(self) -> None:
        while True:
            await self._some.wait()
            # Somebody waits for the room that these messages take.
            await asyncio.sleep(WINDOW if self._deliveries.room > 0 else 0)
            await self._flush()

    async def settle(self, seconds: float) -> None:
        """Acknowledge what is left; what can't be in time is delivered again, and finds no work."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._done:
                    await self._flush()

    async def _flush(self) -> None:
        done, self._done = self._done, []
        self._some.clear()
        await reach("before_ack")
        try:
            await self._mailbox.settle(done)
        except AWAY:
            self._put_back(done)
            await asyncio.sleep(AGAIN)
        except asyncio.CancelledError:
            self._put_back(done)
            raise
        else:
            for delivery in done:
                self._deliveries.drop(delivery)

    def _put_back(self, done: list[Delivery]) -> None:
        self._done = done + self._done
        self._some.set()
