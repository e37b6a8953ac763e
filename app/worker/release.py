"""Hands jobs that were delayed or released to the broker when they have come due."""

import asyncio
import contextlib
from collections.abc import Mapping, Sequence

from app.models.queries import released
from app.models.queries.released import Released
from app.worker.connection import AWAY
from app.worker.envelope import new_task_id, wrap
from app.worker.guard import Guard
from app.worker.names import LABELS, log
from app.worker.outage import Outage
from app.worker.publisher import Message, Publisher
from app.worker.quarantine import Quarantine
from app.worker.refusal import Refused

PAGE = 200
SOONEST = 0.2
PATIENCE = 3600.0
"""Seconds after it came due in which a job that must not run stays in the table: while a release
is rolled out, a worker of the other version may know it."""

type Ready = Mapping[int, Message]
"""What is handed over, by the id of its row."""


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
                _, wait = await self.once()
                outage.over()
                self.looked = True
            except Exception as error:
                await outage.sit_out(error)
                continue
            pause = longest if wait is None else min(longest, wait)
            await self._pause(max(SOONEST, pause))

    async def once(self) -> tuple[int, float | None]:
        """How many jobs were handed over, and in how many seconds the next one comes due."""
        due, wait = await released.take_due(PAGE, self._reserve)
        ready = await self._judge(due)
        if ready:
            await self._hand_over(ready)
        return len(ready), 0.0 if len(due) == PAGE else wait

    async def _judge(self, due: Sequence[Released]) -> Ready:
        ready: dict[int, Message] = {}
        for row in due:
            try:
                ready[row.id] = self._message(row)
            except Refused as refused:
                await self._set_aside(row, refused)
        return ready

    async def _hand_over(self, ready: Ready) -> None:
        await self._reserve_longer(ready)
        if await self._publisher.publish(list(ready.values())):
            await released.give_back(list(ready))
        else:
            await released.forget(list(ready))

    async def _reserve_longer(self, ready: Ready) -> None:
        for seconds in {m.job_cls.retry_after for m in ready.values()} - {None}:
            ids = [row for row, m in ready.items() if m.job_cls.retry_after == seconds]
            await released.reserve(ids, float(seconds or 0))

    def _message(self, row: Released) -> Message:
        job = self._guard.check(row.payload)
        label = row.label if row.label in LABELS else "default"
        task_id = new_task_id()
        return Message(job.job_cls, (), label, task_id, wrap(row.payload, label, task_id))

    async def _set_aside(self, row: Released, refused: Refused) -> None:
        reason = refused.reason.value
        log().error("undeserializable_job", job_id=row.id, queue=row.label, reason=reason)
        if row.overdue < PATIENCE:
            return  # It stays reserved, out of the way of others, until somebody looks again.
        with contextlib.suppress(*AWAY):
            await self._quarantine.put_payload(row.label, row.payload, refused.reason)
            await released.forget([row.id])

    async def _pause(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._nudged.wait(), seconds)
        self._nudged.clear()
