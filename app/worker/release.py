"""Hands jobs that were delayed or released to the broker when they have come due."""

import asyncio
import contextlib
from collections.abc import Sequence

from app.models.queries import released
from app.models.queries.released import Released
from app.worker.connection import AWAY
from app.worker.envelope import new_task_id, wrap
from app.worker.guard import Guard
from app.worker.names import LABELS
from app.worker.outage import Outage
from app.worker.publisher import Message, Publisher
from app.worker.quarantine import Quarantine
from app.worker.refusal import Refused

PAGE = 200
SOONEST = 0.2


class Release:
    def __init__(
        self, guard: Guard, publisher: Publisher, quarantine: Quarantine, reserve: float
    ) -> None:
        self._guard = guard
        self._publisher = publisher
        self._quarantine = quarantine
        self._reserve = reserve
        self._nudged = asyncio.Event()
        self.looked = False

    def nudge(self) -> None:
        """Look again at once: a job was put into the table by this process."""
        self._nudged.set()

    async def run(self, longest: float) -> None:
        """Look whenever a job comes due, and every ``longest`` seconds for those of others."""
        outage = Outage("database")
        while True:
            try:
                released_now, wait = await self.once()
                outage.over()
                self.looked = True
            except Exception as error:
                await outage.sit_out(error)
                continue
            pause = 0.0 if released_now == PAGE else min(longest, longest if wait is None else wait)
            await self._pause(max(SOONEST, pause))

    async def once(self) -> tuple[int, float | None]:
        """How many jobs were handed over, and in how many seconds the next one comes due."""
        due, wait = await released.take_due(PAGE, self._reserve)
        if due:
            await self._hand_over(due)
        return len(due), wait

    async def _hand_over(self, due: Sequence[Released]) -> None:
        ids = [row.id for row in due]
        if await self._published(due):
            await released.forget(ids)
        else:
            await released.give_back(ids)

    async def _published(self, due: Sequence[Released]) -> bool:
        try:
            messages = [m for row in due if (m := await self._message(row)) is not None]
        except AWAY:
            return False
        return not await self._publisher.publish(messages)

    async def _message(self, row: Released) -> Message | None:
        try:
            job = self._guard.check(row.payload)
        except Refused as refused:
            await self._quarantine.put_payload(row.label, row.payload, refused.reason)
            return None
        label = row.label if row.label in LABELS else "default"
        task_id = new_task_id()
        return Message(job.job_cls, (), label, task_id, wrap(row.payload, label, task_id))

    async def _pause(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._nudged.wait(), seconds)
        self._nudged.clear()
