"""Starts workers as processes, which a test may kill, stop and wait for."""

import asyncio
import json
import os
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.fakes import waiting

PACE = {"heartbeat": 0.3, "abandoned": 1.5, "look": 0.3, "block": 0.5, "release": 0.5}
"""Everything as in real life, but in less time."""


class WorkerProcess:
    def __init__(self, process: asyncio.subprocess.Process, output: Path) -> None:
        self._process = process
        self._output = output

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

    @property
    def printed(self) -> str:
        """What the process said so far."""
        return self._output.read_text()

    async def said(self, action: str) -> bool:
        """Whether the process has logged this action."""
        return action in self.printed

    async def ended(self, seconds: float = 30) -> int:
        """The exit code."""
        async with asyncio.timeout(seconds):
            return await self._process.wait()


@asynccontextmanager
async def worker(
    pace: dict[str, float] | None = None, environment: dict[str, str] | None = None, **work: Any
) -> AsyncIterator[WorkerProcess]:
    """One worker, killed at the end if it still runs."""
    asked = json.dumps({"pace": PACE | (pace or {}), "work": work})
    with tempfile.NamedTemporaryFile() as output:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.worker.process", asked),
            env=os.environ | {"PYTHONUNBUFFERED": "1"} | (environment or {}),
            stdout=output,
            stderr=output,
        )
        try:
            yield WorkerProcess(process, Path(output.name))
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()


async def until(happens: Callable[[], Any], seconds: float = 20) -> None:
    """Wait until the awaitable that ``happens`` makes is true; fails after some seconds."""
    await waiting.until(happens, seconds=seconds, every=0.05)
