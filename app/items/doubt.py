"""Before a message goes out that may have gone out before: what is known of the last attempt?"""

import asyncio
from collections.abc import Awaitable, Callable
from uuid import UUID

from app.items import evidence
from app.models.queries import stand_down, timeouts
from app.models.queries.timeouts import Waiting
from app.transports.contract import CannotTell, Found, LookUp

type Find = Callable[[Waiting], Awaitable[LookUp]]
"""Asks an attempt's transport whether the provider has its message."""

PATIENCE = 4.0
"""Seconds for the question: it has to fit into the time in which the attempt may still begin."""

KNOWN = "The earlier attempt reached the provider after all, so this one was not sent."


async def settle(item_id: UUID, attempt_id: UUID, doubtful: Waiting, find: Find) -> bool:
    """Whether the item now follows the doubtful attempt, and nothing must be sent any more.

    Stored events are applied first; only then is the provider asked.
    """
    for event_id in await timeouts.find_events_of(doubtful):
        await evidence.apply_safely(event_id)
    if await _gives_way(item_id, attempt_id, doubtful):
        return True
    match await ask(find, doubtful):
        case Found(events):
            await evidence.report(doubtful.channel, events)
            return await _gives_way(item_id, attempt_id, doubtful)
        case _:
            return False


async def ask(find: Find, attempt: Waiting, *, seconds: float = PATIENCE) -> LookUp:
    """The provider's answer; whatever goes wrong is no answer."""
    try:
        async with asyncio.timeout(seconds):
            return await find(attempt)
    except Exception as error:
        return CannotTell(type(error).__name__)


async def _gives_way(item_id: UUID, attempt_id: UUID, doubtful: Waiting) -> bool:
    state = await stand_down.stand_down(item_id, attempt_id, doubtful.attempt_id, KNOWN, "worker")
    return state is not None
