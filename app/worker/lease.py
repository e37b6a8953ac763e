"""The right of one worker to a name, as long as it says that it lives."""

import asyncio
import contextlib

from app.models.queries import workers
from app.models.queries.workers import Holder, Standing
from app.worker import identity
from app.worker.names import log
from app.worker.outage import Outage
from app.worker.pace import Pace

SELDOM = 2
LONG = 1.5
"""Names are claimed less often than messages: 10 and 30 s, where those are 5 and 20."""
FORGOTTEN = 86_400.0
"""Seconds after which nobody wants to know of a dead worker any more."""


class WorkerIdTaken(RuntimeError):
    """Another worker that is alive has this name; the text says which one."""

    def __init__(self, worker_id: str, holder: Holder) -> None:
        super().__init__(
            f"The worker id {worker_id!r} is held by process {holder.pid} on {holder.host}, which"
            f" has worked since {holder.started_at:%Y-%m-%d %H:%M:%S} UTC and was heard of"
            f" {holder.silent:.0f} s ago. Stop that one, or give this one another --id (WORKER_ID)."
        )


class Lease:
    """A name is free again once its worker has left, ended within sight, or said nothing for three
    heartbeats."""

    def __init__(self, standing: Standing, pace: Pace) -> None:
        self._me = standing
        self._every = SELDOM * pace.heartbeat
        self._silence = LONG * pace.abandoned

    async def take(self) -> None:
        """Returns with the name ours; waits for a database that is away.

        Raises:
            WorkerIdTaken: its worker lives: we saw it run, or heard of it while we waited.
        """
        outage = Outage("database")
        first: Holder | None = None
        while True:
            try:
                holder = await self._try()
            except Exception as error:
                await outage.sit_out(error)
                continue
            outage.over()
            if holder is None:
                break
            if identity.runs(holder) or (first and first.heartbeat_at != holder.heartbeat_at):
                raise WorkerIdTaken(self._me.id, holder)
            first = first or holder
            await asyncio.sleep(self._every / 2)
        with contextlib.suppress(Exception):
            await workers.forget(FORGOTTEN)

    async def keep(self) -> None:
        """Until the name is somebody else's, because nothing was heard of us for too long."""
        outage = Outage("database")
        while True:
            await asyncio.sleep(self._every)
            try:
                kept = await workers.beat(self._me.id, self._me.token)
                # Whoever restored an older database took our row with it, and nobody has the name.
                if not (kept or await workers.take(self._me, self._silence)):
                    log().error("worker_id_lost", worker=self._me.id)
                    return
                outage.over()
            except Exception as error:
                await outage.sit_out(error)

    async def leave(self) -> None:
        """Best effort: a name that could not be given up is free again a little later."""
        with contextlib.suppress(Exception):
            async with asyncio.timeout(2):
                await workers.leave(self._me.id, self._me.token)

    async def _try(self) -> Holder | None:
        """Who has the name, unless we do."""
        if await workers.take(self._me, self._silence):
            return None
        holder = await workers.find(self._me.id)
        if holder is None or not identity.has_ended(holder):
            return holder if holder is not None else await self._try()
        return await self._take_instead_of(holder)

    async def _take_instead_of(self, dead: Holder) -> Holder | None:
        if await workers.take(self._me, self._silence, dead.token):
            return None
        return await workers.find(self._me.id)
