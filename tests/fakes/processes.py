"""Pillarbox's own processes, as a person starts them."""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ARVEL = Path(sys.executable).with_name("arvel")


@contextlib.asynccontextmanager
async def arvel(
    *arguments: str, environment: Mapping[str, str] | None = None, log: Path | None = None
) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run ``arvel …`` in the repository; killed at the end of the block if it still runs."""
    with contextlib.ExitStack() as files:
        output = files.enter_context(log.open("ab")) if log else asyncio.subprocess.DEVNULL
        process = await asyncio.create_subprocess_exec(
            str(ARVEL),
            *arguments,
            cwd=ROOT,
            env={**os.environ, **(environment or {})},
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
        try:
            yield process
        finally:
            kill(process)
            await process.wait()


def kill(process: asyncio.subprocess.Process) -> None:
    """End the process and its children at once."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
