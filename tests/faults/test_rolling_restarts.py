"""Workers are replaced one after another while messages are being sent.

``ROLLING_RESTARTS`` says how many; 5 where nobody says.
"""

import asyncio
import contextlib
import os
import time
from collections import Counter
from pathlib import Path

from aiosmtpd.smtp import SMTP

from app.models import statements
from app.models.statements import Statements
from tests.fakes.processes import arvel, compose
from tests.fakes.smtp_server import NONE, MailServer
from tests.fakes.waiting import patience, until

RESTARTS = int(os.environ.get("ROLLING_RESTARTS", "5"))
EACH = 100
LATENCY = 0.5
PLACES = 8
DRAIN = 10.0
GRACE = 15.0


async def slowly(_: SMTP) -> str:
    await asyncio.sleep(LATENCY)
    return "250 2.0.0 queued"


def settings_for(mail: MailServer, folder: Path) -> dict[str, str]:
    return {
        "STORAGE_PATH": str(folder / "storage"),
        "DISPATCH_ALLOW_REAL": "*",
        "EMAIL_CHANNEL": "smtp",
        "SMTP_HOST": "127.0.0.1",
        "SMTP_PORT": str(mail.port),
        "SMTP_TLS": "none",
        "MESSAGE_ID_DOMAIN": "example.com",
        "QUEUE_CONCURRENCY": str(PLACES),
        "DISPATCH_DRAIN": str(DRAIN),
        "SHUTDOWN_GRACE": str(GRACE),
        "LOG_LEVEL": "info",
    }


async def _start(
    stack: contextlib.AsyncExitStack, environment: dict[str, str], folder: Path, number: int
) -> asyncio.subprocess.Process:
    log = folder / f"worker-{number}"
    process = await stack.enter_async_context(
        arvel("dispatch:work", f"--id=post-{number % 2}", environment=environment, log=log)
    )

    async def started() -> bool:
        return "worker_started" in log.read_text()

    await until(started, seconds=60, every=0.1)
    return process


async def _end(process: asyncio.subprocess.Process) -> None:
    told = time.monotonic()
    process.terminate()
    assert await asyncio.wait_for(process.wait(), patience(GRACE)) == 0
    assert time.monotonic() - told < patience(GRACE)


async def test_nothing_is_lost_or_doubled_and_no_retry_is_spent(
    database: Statements, redis_url: str, tmp_path: Path
) -> None:
    """Field report 8."""
    expected = EACH * RESTARTS
    async with MailServer(tls=NONE, answers={"DATA": slowly}) as mail:
        environment = settings_for(mail, tmp_path)
        async with contextlib.AsyncExitStack() as stack:
            running = [await _start(stack, environment, tmp_path, number) for number in range(2)]
            for number in range(RESTARTS):
                before = len(mail.mails)
                composing = asyncio.create_task(compose(environment, emails=EACH))
                await until(lambda before=before: _more_than(mail, before), seconds=90)
                await _end(running.pop(0))
                running.append(await _start(stack, environment, tmp_path, number + 2))
                await composing

            async def all_succeeded() -> bool:
                rows = await statements.run(
                    "SELECT count(*) AS n FROM queue_items WHERE state = 'succeeded'"
                )
                return rows[0]["n"] == expected

            await until(all_succeeded, seconds=60 + 3 * RESTARTS, every=0.2)
            for process in running:
                await _end(process)
        taken = Counter(message.receivers[0] for message in mail.mails)
    assert taken == {f"person{number}@example.com": RESTARTS for number in range(EACH)}
    rows = await statements.run(
        "SELECT sum(retries) AS retries, max(attempts) AS attempts FROM queue_items"
    )
    assert (rows[0]["retries"], rows[0]["attempts"]) == (0, 1)
    assert await statements.run("SELECT FROM failed_jobs") == []
    assert await statements.run("SELECT FROM workers") == []


async def _more_than(mail: MailServer, number: int) -> bool:
    return len(mail.mails) > number + PLACES
