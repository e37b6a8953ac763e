"""Finds again, from the database alone, whatever was dropped on the way."""

from datetime import datetime

from app.items import evidence, publish, rescue, unrecorded
from app.items.doubt import Find
from app.models.queries import operate
from app.models.queries import publish as publishing
from app.settings import DispatchSettings

PAGE = 500
EVENT_AGE = 5.0
ACTOR = "sweep"
EXPIRED = "Cancelled: it was not sent before it expired."


async def sweep(oldest: publish.Oldest, find: Find) -> dict[str, int]:
    """Every move of the sweep once; how many items each one concerned."""
    return {
        "expired": await expire(),
        "read_back": await unrecorded.read_back(),
        "events": await apply_events(),
        "rescued": await rescue.rescue(find, PAGE),
        "republished": await republish(oldest),
        "healed": await heal(),
    }


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
    await publish.republish(lost)
    return len(lost)


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
