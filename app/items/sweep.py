"""Finds again, from the database alone, whatever was dropped on the way."""

from datetime import datetime
from uuid import UUID

from app.items import evidence, publish
from app.items.outcome import letter_for
from app.models.queries import operate
from app.models.queries import publish as publishing
from app.models.queries import record as recording
from app.models.queries import timeouts as queries
from app.models.queries.record import Entry
from app.models.queries.timeouts import Waiting
from app.settings import DispatchSettings
from app.workflow import ErrorKind

PAGE = 500
EVENT_AGE = 5.0
ACTOR = "sweep"
ABANDONED = (
    "The worker stopped between starting this attempt and recording it: the message may or may not "
    "have been sent. Retry or cancel it with a confirmation once you know."
)
EXPIRED = "Cancelled: it was not sent before it expired."


async def sweep(oldest: publish.Oldest) -> dict[str, int]:
    """Every move of the sweep once; how many items each one concerned."""
    await expire()
    return {
        "events": await apply_events(),
        "rescued": await rescue(),
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


async def rescue() -> int:
    """Settle attempts whose worker died: by what was reported, else as unknown."""
    abandoned = await queries.find_abandoned(PAGE)
    for attempt in abandoned:
        await _rescue_one(attempt)
    return len(abandoned)


async def _rescue_one(attempt: Waiting) -> None:
    for event_id in await queries.find_events_of(attempt):
        await evidence.apply_safely(event_id)
    await recording.record(_abandoned(attempt.item_id, attempt.attempt_id))


def _abandoned(item_id: UUID, attempt_id: UUID) -> Entry:
    return Entry(
        item_id=item_id,
        attempt_id=attempt_id,
        outcome="unknown",
        transition="error",
        text=ABANDONED,
        actor=ACTOR,
        may_have_been_sent=True,
        error_kind=ErrorKind.OUTCOME_UNKNOWN,
        only_after_lease=True,
        letter=letter_for(item_id, attempt_id),
    )


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
