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


def arvel(
    *arguments: str, environment: Mapping[str, str] | None = None, log: Path | None = None
) -> contextlib.AbstractAsyncContextManager[asyncio.subprocess.Process]:
    """Run ``arvel …`` in the repository; killed at the end of the block if it still runs."""
    return running(str(ARVEL), *arguments, environment=environment, log=log)


@contextlib.asynccontextmanager
async def running(
    *command: str, environment: Mapping[str, str] | None = None, log: Path | None = None
) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run a command in the repository; killed at the end of the block if it still runs."""
    with contextlib.ExitStack() as files:
        output = files.enter_context(log.open("ab")) if log else asyncio.subprocess.DEVNULL
        process = await asyncio.create_subprocess_exec(
            *command,
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


COMPOSE = """
import asyncio, sys
from arvel.kernel.bootstrap import lifespan
from bootstrap.app import create_app
from app.items import add_email, add_sms

async def main(emails, sms):
    async with lifespan(create_app()):
        for n in range(emails):
            await add_email(sender={"email": "shop@example.com"},
                to=[{"email": f"person{n}@example.com"}], subject="Hi", text="Hello")
        for n in range(sms):
            await add_sms(sender={"cell": "+15005550006"},
                receiver={"cell": f"+1201555{n:04}"}, body="Hello")

asyncio.run(main(*map(int, sys.argv[1:])))
"""


async def compose(environment: Mapping[str, str], *, emails: int = 0, sms: int = 0) -> None:
    """Compose messages in a process of its own, each to a receiver of its own."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-c", COMPOSE, str(emails), str(sms)),
        cwd=ROOT,
        env={**os.environ, **environment},
    )
    assert await process.wait() == 0
