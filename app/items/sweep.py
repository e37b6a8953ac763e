"""Finds again, from the database alone, whatever was dropped on the way."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from functools import partial

from arvel.kernel.logging import LogManager

from app.events import measures
from app.items import evidence, publish, rescue, unrecorded
from app.items.doubt import Find
from app.models.queries import operate
from app.models.queries import publish as publishing
from app.settings import DispatchSettings

PAGE = 500
MOST_PAGES = 100
"""Of one move in one sweep; what is left is the next one's."""
EVENT_AGE = 5.0
ACTOR = "sweep"
EXPIRED = "Cancelled: it was not sent before it expired."

type Move = Callable[[], Awaitable[int]]


async def sweep(oldest: publish.Oldest, find: Find) -> dict[str, int]:
    """Every move of the sweep, page by page; how many items each one concerned.

    A move that fails holds back no other one.
    """
    moves: dict[str, Move] = {
        "expired": expire,
        "read_back": unrecorded.read_back,
        "events": apply_events,
        "rescued": partial(rescue.rescue, find, PAGE),
        "republished": partial(republish, oldest),
        "healed": heal,
    }
    return {name: await _all_pages(name, move) for name, move in moves.items()}


async def _all_pages(name: str, move: Move) -> int:
    total = 0
    for _ in range(MOST_PAGES):
        try:
            found = await move()
        except Exception as error:
            LogManager().channel("dispatch").error(
                "sweep_failed", move=name, error=type(error).__name__
            )
            break
        total += found
        if found < PAGE:
            break
    measures.SWEPT.labels(name).inc(total)
    return total


async def expire() -> int:
    """Cancel what was not sent before its expiry."""
    return len(await operate.expire(PAGE, EXPIRED, "expiry"))


async def apply_events() -> int:
    """Apply events that were stored but not applied, and orphans that now fit an attempt."""
    settings = DispatchSettings()
    events = await evidence.queries.find_unapplied(EVENT_AGE, PAGE)
    for event_id in events:
        await evidence.apply_safely(event_id)
    await evidence.queries.drop_orphans(settings.orphan_keep_hours)
    return len(events)


async def republish(oldest: publish.Oldest) -> int:
    """Publish again what was dispatched and never claimed, unless its turn just hasn't come."""
    waiting = await _oldest_or_nothing(oldest)
    if waiting is None:
        return 0
    names = list(waiting)
    after = DispatchSettings().redispatch_after
    lost = await publishing.take_lost(after, PAGE, names, [waiting[name] for name in names])
    return len(lost) if await publish.republish(lost) else 0


async def _oldest_or_nothing(oldest: publish.Oldest) -> dict[str, datetime | None] | None:
    try:
        return await oldest()
    except Exception:
        return None  # the broker is away: nothing could be published to it anyway


async def heal() -> int:
    """Retry items whose publishing failed."""
    healed = await publishing.heal(DispatchSettings().redispatch_after, PAGE, ACTOR)
    await publish.publish(healed)
    return len(healed)
