"""The demonstration from its start to its end."""

import asyncio
import contextlib
import json
import os
import sys
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from unittest import mock

from rich.console import Console
from rich.live import Live

from local import Seed, services
from local.demo import watch
from local.demo.messages import Expected, send_all
from local.demo.person import NAME, add_person
from local.demo.surroundings import SILENCE_S, environment, without_settings
from local.demo.table import draw
from local.demo.web import web_process
from local.folders import passing
from local.ports import HOST, free_port

PATIENCE_S = 60.0 + SILENCE_S
"""Seconds after which items that don't rest are called lost."""


MORE_EVERY_S = 5.0
"""Seconds between two further messages while nobody stops it."""


@dataclass(frozen=True, slots=True)
class Running:
    address: str


def play(emails: int, sms: int, *, once: bool, as_json: bool) -> int:
    """Start everything, send, watch, and stop everything; 0 when each item rests as it should."""
    started = time.monotonic()
    with everything() as running:
        say(f"Running at {running.address}; the API explains itself at {running.address}/api/docs")
        result = asyncio.run(_send_and_watch(emails, sms, running, once=once))
    result["seconds"] = round(time.monotonic() - started, 1)
    if as_json:
        print(json.dumps(result))
    return 1 if result["lost"] or result["duplicated"] else 0


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


@contextlib.contextmanager
def everything(**settings: str) -> Iterator[Running]:
    """PostgreSQL, Valkey and the web process with its worker; all of them end with the block.

    ``settings`` are those of the processes, beside the demonstration's own.
    """
    port = free_port()
    say("Starting PostgreSQL and Valkey …")
    with passing() as folder, services(seed=Seed("", lambda _: None)) as local:
        values = environment(local, port, str(folder / "storage")) | settings
        with mock.patch.dict(os.environ, without_settings(os.environ) | values, clear=True):
            say("Creating the tables …")
            asyncio.run(_migrate())
            say("Starting the web process with its worker …")
            with web_process(folder / "web", port, values):
                yield Running(f"http://{HOST}:{port}")
            say("Stopping …")


@contextlib.asynccontextmanager
async def application() -> AsyncIterator[object]:
    from arvel.kernel.bootstrap import lifespan

    from bootstrap.app import create_app

    async with lifespan(create_app()) as app:
        yield app


async def _migrate() -> None:
    async with application() as app:
        await app.make("migrator").run(app.make("migrations"))  # type: ignore[attr-defined]


async def _send_and_watch(
    emails: int, sms: int, running: Running, *, once: bool
) -> dict[str, object]:
    async with application():
        password = await add_person()
        console = f"{running.address}/console"
        say(f"The console is at {console}: sign in as {NAME} with {password}")
        say(f"Sending {emails} emails and {sms} SMS through the sandbox …")
        expected = await send_all(emails, sms)
        say(f"Waiting until they rest; the silent ones take {SILENCE_S:g} s.")
        seen = await _watch(expected, f"{console} ({NAME}, {password})", once=once)
    return {
        "states": watch.states(seen),
        "lost": watch.lost(seen, expected),
        "duplicated": watch.duplicated(seen),
    }


async def _watch(expected: Expected, where: str, *, once: bool) -> list[watch.Seen]:
    console = Console(stderr=True)
    until, more = time.monotonic() + PATIENCE_S, time.monotonic() + MORE_EVERY_S
    show = (
        Live(console=console, refresh_per_second=4, transient=once) if console.is_terminal else None
    )
    with show or contextlib.nullcontext():
        while True:
            seen = await watch.look()
            if show is not None:
                show.update(draw(seen, where))
            if once and (not watch.lost(seen, expected) or time.monotonic() > until):
                return seen
            if not once and time.monotonic() >= more:
                # So that there is life in the console while somebody looks at it.
                expected |= await send_all(1, 1, first=len(expected))
                more = time.monotonic() + MORE_EVERY_S
            await asyncio.sleep(0.25)
