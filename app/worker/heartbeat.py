"""Says for every message held that its worker is alive, from delivery to acknowledgement."""

import asyncio
import contextlib
from itertools import batched

from app.worker.connection import AWAY
from app.worker.delivery import Deliveries
from app.worker.pace import Pace
from app.worker.port import Mailbox

AT_ONCE = 500


class Heartbeat:
    def __init__(self, mailbox: Mailbox, deliveries: Deliveries, pace: Pace) -> None:
        self._mailbox = mailbox
        self._deliveries = deliveries
        self._every = pace.heartbeat

    async def run(self) -> None:
        while True:
            await asyncio.sleep(self._every)
            # While the broker is away nobody can take our messages over either.
            with contextlib.suppress(*AWAY):
                await self._beat()

    async def _beat(self) -> None:
        for label, ids in list(self._deliveries.by_label()):
            for part in batched(ids, AT_ONCE, strict=False):
                await self._mailbox.beat(label, part)
