"""Starts workers as processes, which a test may kill, stop and wait for."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

PACE = {"heartbeat": 0.3, "abandoned": 1.5, "look": 0.3, "block": 0.5, "release": 0.5}
"""Everything as in real life, but in less time."""


class WorkerProcess:
    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    def terminate(self) -> None:
        self._process.terminate()

    def kill(self) -> None:
        self._process.kill()

    def freeze(self) -> None:
        self._process.send_signal(signal.SIGSTOP)

    def wake(self) -> None:
        self._process.send_signal(signal.SIGCONT)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def running(self) -> bool:
        return self._process.returncode is None

    async def ended(self, seconds: float = 30) -> tuple[int, str]:
        """The exit code and what the process printed."""
        async with asyncio.timeout(seconds):
            printed, _ = await self._process.communicate()
        assert self._process.returncode is not None
        return self._process.returncode, printed.decode()


@asynccontextmanager
async def worker(
    pace: dict[str, float] | None = None, environment: dict[str, str] | None = None, **work: Any
) -> AsyncIterator[WorkerProcess]:
    """One worker, killed at the end if it still runs."""
    asked = json.dumps({"pace": PACE | (pace or {}), "work": work})
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.worker.process",
        asked,
        env=os.environ | (environment or {}),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        yield WorkerProcess(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def until(happens: Callable[[], Any], seconds: float = 20) -> None:
    """Wait until the awaitable that ``happens`` makes is true; fails after some seconds."""
    async with asyncio.timeout(seconds):
        while not await happens():
            await asyncio.sleep(0.05)
