"""Messages that a provider accepted and then said no more about."""

import asyncio
from collections.abc import Awaitable, Callable

from arvel.kernel.logging import LogManager

from app.items import evidence
from app.models.queries import timeouts as queries
from app.models.queries.timeouts import Waiting
from app.settings import DispatchSettings
from app.transports.contract import CannotTell, Found, LookUp

type Look = Callable[[Waiting], Awaitable[LookUp]]
"""Asks an item's transport for the last news of its message."""

PAGE = 500
ACTOR = "timeout"


async def time_out_sms(look: Look) -> int:
    """Time out SMS without a final status, each after one last look at its provider."""
    settings = DispatchSettings()
    overdue = await queries.find_overdue(
        "sms",
        settings.sms_timeout_hours,
        from_acceptance=settings.sms_timeout_from == "accepted",
        limit=PAGE,
    )
    gate = asyncio.Semaphore(10)

    async def one(waiting: Waiting) -> None:
        async with gate:
            await ask(look, waiting)
        await _time_out(waiting, settings.sms_timeout_hours)

    await asyncio.gather(*(one(waiting) for waiting in overdue))
    return len(overdue)


async def time_out_email() -> int:
    """Time out email without a final report; 0 hours switch this off."""
    hours = DispatchSettings().email_timeout_hours
    if hours <= 0:
        return 0
    overdue = await queries.find_overdue("email", hours, from_acceptance=False, limit=PAGE)
    for waiting in overdue:
        await _time_out(waiting, hours)
    return len(overdue)


async def _time_out(waiting: Waiting, hours: float) -> None:
    text = f"The provider accepted the message, and no final report came within {hours:g} hours."
    await queries.time_out(waiting.item_id, waiting.attempt_id, text, ACTOR)


async def ask(look: Look, waiting: Waiting) -> None:
    """Ask for the news of one message and apply them; a failure to ask changes nothing."""
    try:
        answer = await look(waiting)
    except Exception as error:
        answer = CannotTell(type(error).__name__)
    match answer:
        case Found(events):
            await evidence.report(waiting.channel, events)
        case CannotTell(text):
            LogManager().channel("dispatch").info(
                "look_up_failed", item_id=str(waiting.item_id), reason=text[:200]
            )
        case _:
            pass


async def poll(look: Look, channels: list[str]) -> int:
    """Ask for at most 100 awaiting SMS, 10 at once; one error skips one item."""
    waiting = await queries.take_pollable(channels, 100)
    gate = asyncio.Semaphore(10)

    async def one(item: Waiting) -> None:
        async with gate:
            await ask(look, item)

    await asyncio.gather(*(one(item) for item in waiting))
    return len(waiting)
