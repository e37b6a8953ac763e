"""Ways to hit processes, servers and providers, each for so many seconds."""

import asyncio
import contextlib
import signal
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial

import psutil

from local.faults.fleet import Member
from local.faults.smtp import Smtp
from local.keeper import pid_in
from local.postgres import Postgres
from local.valkey import Valkey
from tests.fakes.api import FakeApi

TRIES = 60
"""How often a provider tries to come back where it was, once a second."""

type Way = Callable[[float], Awaitable[str | None]]
"""One way to hit something, for so many seconds; how it was hit, if otherwise than planned."""


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
