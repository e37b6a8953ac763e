"""The web process that is measured, a token for it, and many requests at once."""

import asyncio
import contextlib
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from datetime import UTC, datetime, timedelta

import aiohttp
import psutil

from bench.processes import listens, module, running
from bench.surroundings import Bench
from local.ports import HOST


@contextlib.contextmanager
def web_process(bench: Bench) -> Iterator[psutil.Process]:
    """As the documentation starts it, with one process that serves."""
    command = module("granian", "--interface", "asgi", "--host", HOST, "--port", str(bench.port))
    command += ["--no-ws", "--log-level", "warning", "asgi:asgi_app"]
    environment = {"EMBEDDED_WORKER": "false"}
    log = bench.folder / "web"
    with running(command, log, lambda _: listens(bench.port), environment) as process:
        yield process


async def issue_token() -> str:
    """A token that may do everything; needs the application."""
    from app.access.permissions import PERMISSIONS
    from app.access.tokens import Wish, issue
    from app.models.queries import users

    held = tuple(PERMISSIONS)
    user = uuid.uuid7()
    await users.add(user, "bench", "", None, (), held)
    end = datetime.now(UTC) + timedelta(days=1)
    return (await issue(user, frozenset(held), Wish("bench", held, end))).text


@contextlib.asynccontextmanager
async def client(
    bench: Bench, token: str, connections: int
) -> AsyncIterator[aiohttp.ClientSession]:
    """Every connection is kept open."""
    async with aiohttp.ClientSession(
        bench.address,
        headers={"Authorization": f"Bearer {token}"},
        connector=aiohttp.TCPConnector(limit=connections),
    ) as http:
        yield http


async def ask_all(
    requests: int, connections: int, ask: Callable[[int], Awaitable[None]]
) -> list[float]:
    """Ask so often, by so many callers who each wait for their answer; milliseconds of each."""
    numbers = iter(range(requests))
    took: list[float] = []

    async def caller() -> None:
        for number in numbers:
            began = time.perf_counter()
            await ask(number)
            took.append(1000 * (time.perf_counter() - began))

    await asyncio.gather(*(caller() for _ in range(connections)))
    return took
