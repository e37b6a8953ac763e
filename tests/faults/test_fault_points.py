"""At each place in the life of a send, everything that can fail fails.

Each cell says how often the provider was asked to take the message, and in which state the item
comes to rest. ``unknown`` is allowed only where a worker died, or slept, between claim and record.
"""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from aiosmtpd.smtp import SMTP

from app.jobs.faults import POINTS
from app.models import statements
from app.models.statements import Statements
from local import Services
from tests.fakes.processes import ROOT, compose
from tests.fakes.smtp_server import NONE, MailServer
from tests.fakes.waiting import patience, until

SENT = {("succeeded", 1)}
MAYBE_NOT_SENT = {("unknown", 0)}
MAYBE_SENT = {("unknown", 1)}
"""What a cell may end in: state and number of messages that the provider took."""

CLOCKS = {
    "DISPATCH_CONNECT_TIMEOUT": "0.5",
    "DISPATCH_SEND_TIMEOUT": "2",
    "DISPATCH_LEASE": "5",
    "DISPATCH_JOB_TIMEOUT": "6",
    "DISPATCH_LOCK_EXPIRY": "7",
    "DISPATCH_SWEEP_EVERY": "0.5",
    "DISPATCH_REDISPATCH_AFTER": "2",
}
LEASE_AND_RESCUE = 12.0
"""Seconds after which a lease of 5 s is over for everybody, and the sweep has come round."""


@dataclass
class Scene:
    """One item on its way, a worker that stands still at a place, and what may fail."""

    services: Services
    mail: MailServer
    folder: Path
    environment: dict[str, str]
    worker: asyncio.subprocess.Process
    answer: asyncio.Event

    def go_on(self) -> None:
        (self.folder / "go").touch()
        self.answer.set()


type Fault = Callable[[Scene], Awaitable[None]]


async def kill(scene: Scene) -> None:
    scene.worker.kill()
    await scene.worker.wait()
    scene.go_on()


async def sleep_over_the_lease(scene: Scene) -> None:
    """The process is stopped for longer than its lease, while another worker is there."""
    scene.worker.send_signal(signal.SIGSTOP)
    async with worker(scene.environment):
        await asyncio.sleep(LEASE_AND_RESCUE)
        scene.go_on()
        scene.worker.send_signal(signal.SIGCONT)
        await until(lambda: at_rest(), seconds=30)


async def lose_valkey(scene: Scene) -> None:
    await asyncio.to_thread(scene.services.valkey.kill)
    scene.go_on()
    await asyncio.sleep(0.5)
    await asyncio.to_thread(scene.services.valkey.start)


async def lose_postgres(scene: Scene) -> None:
    await asyncio.to_thread(scene.services.postgres.kill)
    scene.go_on()
    await asyncio.sleep(0.5)
    await asyncio.to_thread(scene.services.postgres.start)


async def terminate(scene: Scene) -> None:
    scene.worker.terminate()
    await asyncio.sleep(0.2)
    scene.go_on()
    assert await asyncio.wait_for(scene.worker.wait(), patience(20)) == 0


EXPECTED: dict[Fault, dict[str, set[tuple[str, int]]]] = {
    kill: {
        "after_claim": MAYBE_NOT_SENT,
        "before_go": MAYBE_NOT_SENT,
        "in_call": MAYBE_SENT,
        "after_call": MAYBE_SENT,
    },
    sleep_over_the_lease: {"in_call": SENT | MAYBE_SENT},
    lose_valkey: {},
    lose_postgres: {},
    terminate: {},
}
"""Where a cell ends in anything else than sent once."""

PLACES = [*POINTS[:3], "in_call", *POINTS[3:]]


@contextlib.asynccontextmanager
async def worker(
    environment: dict[str, str], **more: str
) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "tests.faults.worker_process"),
        cwd=ROOT,
        env={**os.environ, **environment, **more},
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def seen() -> tuple[str, str | None]:
    rows = await statements.run("SELECT state, error_kind FROM queue_items")
    return rows[0]["state"], rows[0]["error_kind"]


async def at_rest() -> bool:
    try:
        return (await seen())[0] in ("succeeded", "errored")
    except Exception:
        return False  # the database is just being started again


@pytest.mark.parametrize("fault", EXPECTED, ids=lambda f: f.__name__)
@pytest.mark.parametrize("place", PLACES)
async def test_whatever_fails_at_any_place_the_item_ends_in_a_true_state(
    database: Statements,
    redis_url: str,
    services: Services,
    tmp_path: Path,
    place: str,
    fault: Fault,
) -> None:
    answer, reached = asyncio.Event(), tmp_path / "reached"

    async def answer_when_told(_: SMTP) -> str:
        if place == "in_call" and not reached.exists():
            reached.touch()
            await answer.wait()
        return "250 2.0.0 queued"

    async with MailServer(tls=NONE, answers={"DATA": answer_when_told}) as mail:
        environment = {
            **CLOCKS,
            "STORAGE_PATH": str(tmp_path / "storage"),
            "DISPATCH_ALLOW_REAL": "*",
            "EMAIL_CHANNEL": "smtp",
            "SMTP_HOST": "127.0.0.1",
            "SMTP_PORT": str(mail.port),
            "SMTP_TLS": "none",
            "MESSAGE_ID_DOMAIN": "example.com",
        }
        await compose(environment, emails=1)
        where = {"FAULT_POINT": place, "FAULT_FOLDER": str(tmp_path)}
        async with worker(environment, **where) as first:
            await until(lambda: asyncio.to_thread(reached.exists), seconds=20)
            await fault(Scene(services, mail, tmp_path, environment, first, answer))
            async with worker(environment):
                await until(at_rest, seconds=40)
                # Whatever would still be sent is sent now.
                await until(lambda: settled(mail), seconds=20)
        state, error = await seen()
        end = ("unknown" if error == "outcome_unknown" else state, len(mail.mails))
        assert end in EXPECTED.get(fault, {}).get(place, SENT)


async def settled(mail: MailServer) -> bool:
    """The item rests, and stays there while everything that looks after it comes round once."""
    before = await seen(), len(mail.mails)
    await asyncio.sleep(1.5)
    return await at_rest() and before == (await seen(), len(mail.mails))
