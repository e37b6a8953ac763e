"""Bringing items to a worker: after the commit, in one go, and never at the caller's expense.

How a job reaches the broker is wired by ``app/providers``; here stands only what happens around it.
A message on the broker is a hint: whatever is lost here is found again by the sweep.
"""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from uuid import UUID

from arvel.kernel import app
from arvel.kernel.logging import LogManager

from app.models.queries import publish as queries
from app.models.queries.publish import Due

type Port = Callable[[Sequence[Due]], Awaitable[bool]]
"""Hands jobs for these items to the broker in one pipeline; false when that did not work."""

type Oldest = Callable[[], Awaitable[dict[str, datetime | None]]]
"""For each priority the time of the oldest message still waiting; raises when it can't tell."""

PAGE = 500
FAILED = "The job could not be handed to the queue; it is tried again by itself."

_ports: dict[str, Port] = {}


def use(port: Port) -> None:
    """Make ``port`` the way to the broker; called by the provider that wires the queue."""
    _ports["queue"] = port


async def publish(items: Sequence[Due]) -> None:
    """Publish committed items; those that can't be are errored and healed later by the sweep."""
    if not items or await _ports["queue"](items):
        return
    await fail_to_publish([(i.item_id, i.dispatched_at) for i in items])


async def publish_after_commit(items: Sequence[Due]) -> None:
    """Publish once the caller's transaction is committed, or now when none is open."""
    await app().make("events").after_commit(lambda: publish(items))


async def fail_to_publish(items: Sequence[tuple[UUID, datetime | None]]) -> None:
    """Apply the cause "publishing failed"; never raises, since the sweep would find them too."""
    try:
        await queries.fail(items, FAILED, "publish")
    except Exception as error:
        LogManager().channel("queue").warning(
            "publish_failed_not_recorded", items=len(items), error=type(error).__name__
        )


async def publish_due() -> float | None:
    """Publish what has come due; seconds until more will, ``None`` when nothing is planned."""
    while True:
        due, wait = await queries.take_due(PAGE)
        if not due:
            return wait
        await _ports["queue"](due)


async def republish(items: Sequence[Due]) -> bool:
    """Publish items that were published before; what fails is found again by the next sweep."""
    return not items or await _ports["queue"](items)
