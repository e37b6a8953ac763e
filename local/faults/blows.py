"""Hits processes, servers and providers as the plan says, and keeps book of it."""

import asyncio
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby

from local import Services
from local.faults.fleet import Fleet
from local.faults.moods import ASKER, Ambush
from local.faults.plan import Blow
from local.faults.providers import Providers
from local.faults.ways import (
    Way,
    away,
    forget,
    ways_of_account,
    ways_of_process,
    ways_of_server,
)

LATE_S = 1.0
"""Seconds after its time when a blow is not dealt any more."""


@dataclass(slots=True)
class Hit:
    """A blow as it was dealt; ``until`` when what was hit was back."""

    target: str
    how: str
    at: float
    until: float = float("inf")


class Blows:
    """Everything that can be hit, and what was."""

    def __init__(self, services: Services, fleet: Fleet, fakes: Providers, begin: float) -> None:
        self.hits: list[Hit] = []
        self._locks = defaultdict[str, asyncio.Lock](asyncio.Lock)
        self._ambushes: set[asyncio.Task[None]] = set()
        self._begin = begin
        self._ways: dict[str, Mapping[str, Way]] = {
            **{name: ways_of_process(member) for name, member in fleet.members.items()},
            "valkey": ways_of_server(services.valkey)
            | {"forget": partial(forget, services.valkey)},
            "postgres": ways_of_server(services.postgres),
            "postmark": ways_of_account(fakes.postmark),
            "resend": ways_of_account(fakes.resend),
            "smtp": {"leave": partial(away, fakes.smtp, fakes.smtp.stop)},
        }

    async def deal(self, blows: Sequence[Blow]) -> None:
        """Deal all blows, each at its time; what is hit, is hit by one blow after the other."""
        by_target = sorted(blows, key=lambda blow: blow.target)
        async with asyncio.TaskGroup() as group:
            for _, of_target in groupby(by_target, key=lambda blow: blow.target):
                group.create_task(self._deal_in_order(list(of_target)))

    def spring(self, ambush: Ambush, worker: str) -> None:
        """Hit a worker that waits for an answer, or what it stands on, unless that is hit now."""
        target = worker if ambush.target == ASKER else ambush.target
        if not self._locks[target].locked():
            task = asyncio.create_task(self._hit(target, ambush.how, ambush.seconds))
            self._ambushes.add(task)

    async def over(self) -> None:
        """Wait until nothing is hit any more."""
        await asyncio.gather(*self._ambushes)

    async def _deal_in_order(self, blows: Sequence[Blow]) -> None:
        for blow in blows:
            wait = self._begin + blow.at - time.time()
            # A process that took long to end is still away: the campaign is not made longer by it.
            if wait > -LATE_S:
                await asyncio.sleep(wait)
                await self._hit(blow.target, blow.how, blow.seconds)

    async def _hit(self, target: str, how: str, seconds: float) -> None:
        async with self._locks[target]:
            hit = Hit(target, how, time.time())
            self.hits.append(hit)
            instead = await self._ways[target][how](seconds)
            hit.until, hit.how = time.time(), instead or how
