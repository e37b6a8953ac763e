"""Hits processes, servers and providers as the plan says, and keeps book of it."""

import asyncio
import contextlib
import signal
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby

import psutil

from local import Services
from local.faults.fleet import Fleet, Member
from local.faults.moods import ASKER, Ambush
from local.faults.plan import Blow
from local.faults.providers import Providers
from local.faults.smtp import Smtp
from local.keeper import pid_in
from local.postgres import Postgres
from local.valkey import Valkey
from tests.fakes.api import FakeApi


@dataclass(slots=True)
class Hit:
    """A blow as it was dealt; ``until`` when what was hit was back."""

    target: str
    how: str
    at: float
    until: float = float("inf")


TRIES = 60
"""How often a provider tries to come back where it was, once a second."""

type Way = Callable[[float], Awaitable[str | None]]
"""One way to hit something, for so many seconds; how it was hit, if otherwise than planned."""


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
            await asyncio.sleep(self._begin + blow.at - time.time())
            await self._hit(blow.target, blow.how, blow.seconds)

    async def _hit(self, target: str, how: str, seconds: float) -> None:
        async with self._locks[target]:
            hit = Hit(target, how, time.time())
            self.hits.append(hit)
            instead = await self._ways[target][how](seconds)
            hit.until, hit.how = time.time(), instead or how


# Processes of the application


def ways_of_process(member: Member) -> Mapping[str, Way]:
    freeze_it = partial(freeze, member.processes)
    return {
        "kill": partial(kill, member),
        "stop": freeze_it,
        "stop long": freeze_it,
        "terminate": partial(terminate, member),
    }


async def kill(member: Member, seconds: float) -> None:
    member.kept_down = True
    member.signal(signal.SIGKILL)
    await asyncio.sleep(seconds)
    member.kept_down = False


async def terminate(member: Member, seconds: float) -> str | None:
    """As a platform does it: a process that takes too long is killed."""
    member.kept_down = True
    member.signal(signal.SIGTERM, children=False)
    in_time = await member.ended()
    if not in_time:
        member.signal(signal.SIGKILL)
    await asyncio.sleep(seconds)
    member.kept_down = False
    return None if in_time else "terminate, then kill"


async def freeze(processes: Callable[[], Sequence[psutil.Process]], seconds: float) -> None:
    frozen = processes()
    for process in frozen:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.suspend()
    await asyncio.sleep(seconds)
    for process in frozen:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.resume()


# PostgreSQL and Valkey


def ways_of_server(server: Postgres | Valkey) -> dict[str, Way]:
    def processes() -> Sequence[psutil.Process]:
        first = psutil.Process(pid_in(server.folder))
        return [first, *first.children(recursive=True)]

    return {
        "kill": partial(crash, server),
        "stop": partial(freeze, processes),
        "terminate": partial(restart, server),
    }


async def crash(server: Postgres | Valkey, seconds: float) -> None:
    await asyncio.to_thread(server.kill)
    await asyncio.sleep(seconds)
    await asyncio.to_thread(server.start)


async def restart(server: Postgres | Valkey, seconds: float) -> None:
    await asyncio.to_thread(server.stop)
    await asyncio.sleep(seconds)
    await asyncio.to_thread(server.start)


async def forget(server: Valkey, seconds: float) -> None:
    """As a server without persistence: it comes back empty."""
    await asyncio.to_thread(server.kill)
    await asyncio.to_thread(server.forget)
    await asyncio.sleep(seconds)
    await asyncio.to_thread(server.start)


# Providers


def ways_of_account(fake: FakeApi) -> Mapping[str, Way]:
    return {"leave": partial(away, fake, fake.stop), "go deaf": partial(away, fake, fake.go_deaf)}


async def away(
    provider: FakeApi | Smtp, leave: Callable[[], Awaitable[None]], seconds: float
) -> None:
    await leave()
    await asyncio.sleep(seconds)
    for _ in range(TRIES):
        try:
            return await provider.start()
        except OSError:  # somebody else uses the port for a while
            await provider.stop()
            await asyncio.sleep(1)
    return await provider.start()
