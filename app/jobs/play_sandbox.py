"""Posts the sandbox's reports that are due."""

import asyncio
from typing import cast, override

from arvel.kernel import app
from arvel.queue import Job

from app.models.queries import sandbox as queries
from app.models.queries.sandbox import Planned
from app.transports.sandbox.reports import Reporter

MOST = 200
AT_ONCE = 10


class PlaySandbox(Job):
    """Each report in a request of its own, at most ten at once; what isn't stored comes again."""

    tries = 1

    @override
    async def handle(self) -> bool:
        """Whether there is anything to play, now or soon."""
        if not app().bound("sandbox.reporter") or not await queries.any_planned():
            return False
        reporter = cast("Reporter", app().make("sandbox.reporter"))
        gate = asyncio.Semaphore(AT_ONCE)

        async def one(planned: Planned) -> None:
            async with gate:
                if await reporter.post(planned.method, planned.body):
                    await queries.drop(planned.id)

        await asyncio.gather(*(one(planned) for planned in await queries.take_due(MOST)))
        return True
