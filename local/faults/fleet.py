"""The processes of the application: two workers, and two web processes of which one also works."""

import asyncio
import contextlib
import os
import re
import sys
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from pathlib import Path
from typing import override
from uuid import UUID

import psutil

from local.demo.surroundings import without_settings
from local.demo.web import INTO_ROOT, ROOT
from local.faults.providers import Providers
from local.faults.surroundings import named
from local.keeper import Keeper, is_running, pid_in
from local.ports import HOST, free_port

type Environment = Callable[[int], Mapping[str, str]]
"""The settings for the n-th start of a process, from 0 on."""

BY_HTTP = ("postmark", "resend")
"""The channels that a web process gives to email by turns, each time it starts."""

ARVEL = Path(sys.executable).with_name("arvel")
LOOK_EVERY = 0.1
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
PATIENCE_S = 30.0
"""Seconds that a process may take to end when it is told to."""


class Member:
    """One process that is started again whenever it has ended, unless it is kept down."""

    def __init__(self, name: str, folder: Path, environment: Environment) -> None:
        self.name = name
        self.folder = folder / name
        self.folder.mkdir(parents=True)
        self.starts: list[float] = []
        self.kept_down = False
        self._environment = environment
        self._keeper = Keeper(name, self.folder)

    def command(self) -> list[str]:
        health = str(self.folder / "health")
        return [str(ARVEL), "dispatch:work", f"--health-check-file={health}"]

    @property
    def log(self) -> Path:
        return self.folder / "log"

    async def start(self) -> None:
        settings = self._environment(len(self.starts))
        self.starts.append(time.time())
        in_root = ["/bin/sh", "-c", INTO_ROOT, str(ROOT), *self.command()]
        environment = {**without_settings(os.environ), **settings}
        await asyncio.to_thread(self._keeper.start, in_root, lambda _: True, environment)

    def signal(self, number: int, *, children: bool = True) -> None:
        for process in self.processes() if children else self.processes()[:1]:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.send_signal(number)

    def processes(self) -> list[psutil.Process]:
        """The process itself and then its children."""
        pid = pid_in(self.folder)
        with contextlib.suppress(psutil.NoSuchProcess):
            if pid is not None:
                first = psutil.Process(pid)
                return [first, *first.children(recursive=True)]
        return []

    def runs(self) -> bool:
        pid = pid_in(self.folder)
        return pid is not None and is_running(pid)

    async def ended(self) -> bool:
        """Wait until it has ended; false when its patience did first."""
        until = time.monotonic() + PATIENCE_S
        while self.runs() and time.monotonic() < until:  # noqa: ASYNC110 - a process, no event
            await asyncio.sleep(LOOK_EVERY)
        return not self.runs()

    async def keep(self) -> None:
        """Start it whenever it doesn't run, until cancelled."""
        while True:
            if not self.kept_down and not self.runs():
                await self.start()
            await asyncio.sleep(LOOK_EVERY)

    async def stop(self) -> None:
        await asyncio.to_thread(self._keeper.stop)


class Web(Member):
    """A web process at ``port``."""

    def __init__(self, name: str, folder: Path, environment: Environment, port: int) -> None:
        super().__init__(name, folder, environment)
        self.port = port

    @override
    def command(self) -> list[str]:
        return [
            *(sys.executable, "-m", "granian", "--interface", "asgi"),
            *("--host", HOST, "--port", str(self.port), "--no-ws", "--log-level", "warning"),
            *("--pid-file", str(self.folder / "granian.pid"), "--workers-kill-timeout", "20"),
            "asgi:asgi_app",
        ]


class Fleet:
    """Email that is queued at a web process takes the channel that this one is set to."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ports = [free_port(), free_port()]
        self.urls = [f"http://{HOST}:{port}" for port in self._ports]
        self.webs: list[Web] = []
        self.members: dict[str, Member] = {}

    def build(self, shared: Mapping[str, str], fakes: Providers, seed: int) -> None:
        """Create the members; ``shared`` are the settings of all of them."""

        def environment(name: str) -> Mapping[str, str]:
            return {**shared, **named(name, fakes)}

        def by_smtp(_: int) -> Mapping[str, str]:
            return {**environment("web-0"), "EMBEDDED_WORKER": "true", "EMAIL_CHANNEL": "smtp"}

        def by_http(start: int) -> Mapping[str, str]:
            channel = BY_HTTP[(seed + start) % len(BY_HTTP)]
            return {**environment("web-1"), "EMAIL_CHANNEL": channel}

        self.webs = [
            Web("web-0", self._folder, by_smtp, self._ports[0]),
            Web("web-1", self._folder, by_http, self._ports[1]),
        ]
        workers = [
            Member(name, self._folder, lambda _, name=name: environment(name))
            for name in ("worker-0", "worker-1")
        ]
        self.members = {member.name: member for member in (*self.webs, *workers)}

    def said_about(self, item: UUID) -> list[str]:
        """The lines of all logs that name an item."""
        return [
            f"{name}: {COLOUR.sub('', line)}"
            for name, member in self.members.items()
            for line in member.log.read_text(errors="replace").splitlines()
            if str(item) in line
        ]

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """Keep all of them running for as long as the block."""
        keeping = [asyncio.create_task(member.keep()) for member in self.members.values()]
        try:
            yield
        finally:
            for task in keeping:
                task.cancel()
            await asyncio.gather(*keeping, return_exceptions=True)
            await asyncio.gather(*(member.stop() for member in self.members.values()))
