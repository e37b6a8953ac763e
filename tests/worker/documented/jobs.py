"""Jobs, callbacks and listeners as an application would write them, in ``app.own`` by name:

the database keeps no jobs from elsewhere. Each says on Redis that it ran.
"""

import asyncio
import sys
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar

import structlog
from arvel.cache import CacheManager
from arvel.events import ShouldQueue
from arvel.http.rate_limiter import RateLimiter
from arvel.queue import Batch, Job
from arvel.queue.middleware import (
    RateLimited,
    ShouldBeUnique,
    ThrottlesExceptions,
    WithoutOverlapping,
)
from arvel.support import cache
from arvel.support.context import Context

from app.models.sender import Sender
from tests.worker.probes.notes import note

NAME = "app.own"
sys.modules[NAME] = sys.modules[__name__]
__name__ = NAME


class Report(Job):
    """Says ``value``; the other jobs differ in one thing each."""

    tries = 1

    def __init__(self, key: str, value: str = "ran") -> None:
        self.key = key
        self.value = value

    async def handle(self) -> None:
        await note(self.key, self.value)


class Mail(Report):
    queue = "mail"


class Letter2(Mail):
    """Inherits its queue; has a digit in its name."""


class Waiting(Report):
    after_commit = True


class Injected(Report):
    async def handle(self, cached: CacheManager) -> None:
        await note(self.key, type(cached).__name__)


class Greet(Job):
    """Is given a row, and finds it as it is by now."""

    tries = 1

    def __init__(self, key: str, sender: Sender) -> None:
        self.key = key
        self.sender = sender

    async def handle(self) -> None:
        await note(self.key, self.sender.name)


class Error(Exception):
    """Ours, so its text may be kept."""


class Failing(Report):
    """Fails until it was tried ``good`` times."""

    tries = 3
    backoff = 0

    def __init__(self, key: str, value: str = "tried", good: int = 99) -> None:
        super().__init__(key, value)
        self.good = good

    async def handle(self) -> None:
        await note(self.key, self.value)
        self.good -= 1
        if self.good > 0:
            raise Error(self.value)

    async def failed(self, exc: BaseException) -> None:
        await note(f"{self.key}:failed", f"{type(exc).__name__}: {exc}")


class Final(Failing):
    tries = 1


class Escalating(Failing):
    tries = 4
    backoff: ClassVar[list[int]] = [10, 30]


class Limited(Failing):
    tries = 9
    max_exceptions = 2


class Overdue(Failing):
    retry_until = datetime(2026, 1, 1, tzinfo=UTC)


class Until(Failing):
    """Sets its limit where it is made."""

    retry_until: datetime | None = None

    def __init__(self, key: str, seconds: int) -> None:
        super().__init__(key)
        self.retry_until = datetime.now(UTC) + timedelta(seconds=seconds)


class Stuck(Failing):
    tries = 2
    timeout = 1

    async def handle(self) -> None:
        await note(self.key, self.value)
        await asyncio.sleep(60)


class StuckOnce(Stuck):
    fail_on_timeout = True


class Patient(Report):
    retry_after = 600


class Once(Failing, ShouldBeUnique):
    """One at a time for each ``value``."""

    tries = 1
    unique_for = 120

    def unique_id(self) -> str:
        return self.value


class OnceRetried(Once):
    tries = 2
    backoff = 60


class Alone(Report):
    def middleware(self) -> list[Any]:
        return [WithoutOverlapping(f"own:{self.key}", expire=30, release_after=5)]


class Capped(Report):
    def middleware(self) -> list[Any]:
        return [RateLimited(RateLimiter(cache()), f"own:{self.key}", 2, 60)]


class Fragile(Failing):
    tries = 9

    def middleware(self) -> list[Any]:
        return [ThrottlesExceptions(2, 60, key=f"own:{self.key}")]


class Around:
    async def handle(self, job: Report, next_: Any) -> Any:
        await note(job.key, "before")
        outcome = await next_(job)
        await note(job.key, "after")
        return outcome


class Wrapped(Report):
    def middleware(self) -> list[Any]:
        return [Around()]


class Telling(Report):
    """Says what it knows of the request that dispatched it."""

    async def handle(self) -> None:
        logged = structlog.contextvars.get_contextvars()
        for name in ("tenant", "secret"):
            await note(f"{self.key}:context", repr(Context.get(name)))
        for name in ("request_id", "user_id", "address"):
            await note(f"{self.key}:log", repr(logged.get(name)))
        await note(f"{self.key}:job_id", logged["job_id"])
        await note(f"{self.key}:job", logged["job"])


class TellingTwice(Telling):
    async def handle(self) -> None:
        await super().handle()
        await Telling.dispatch(self.key)


async def gave_up(exc: BaseException) -> None:
    await note("gave_up", str(exc))


async def all_done(batch: Batch) -> None:
    await note("then", batch.id)


async def one_failed(batch: Batch, exc: BaseException) -> None:
    await note("catch", str(exc))


async def settled(batch: Batch) -> None:
    await note("finally", f"cancelled: {await batch.cancelled()}")


@dataclass
class OrderPlaced:
    order_id: int


class SendReceipt(ShouldQueue):
    async def handle(self, event: Any) -> None:
        await note("receipt", event["order_id"])


class Audit(ShouldQueue):
    """Has a state of its own, which travels with it."""

    def __init__(self, book: str) -> None:
        self.book = book

    async def handle(self, event: Any) -> None:
        await note("audit", f"{self.book}: {event['order_id']}")


class Rejecting(ShouldQueue):
    async def handle(self, event: Any) -> None:
        await note("rejecting")
        raise Error("no")

    async def failed(self, exc: BaseException) -> None:
        await note("rejected", str(exc))


class Stranger(ShouldQueue):
    """Nobody allows it."""

    async def handle(self, event: Any) -> None:
        await note("stranger")


JOBS: tuple[type[Job], ...] = (
    *(Report, Mail, Letter2, Waiting, Injected, Greet, Failing, Final, Escalating, Limited),
    *(Overdue, Until, Stuck, StuckOnce, Patient, Once, OnceRetried, Alone, Capped, Fragile),
    *(Wrapped, Telling, TellingTwice),
)
CALLBACKS = (gave_up, all_done, one_failed, settled)
LISTENERS = (SendReceipt, Audit, Rejecting)
