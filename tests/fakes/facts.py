"""Things that become known about one attempt, as actions on an item."""

import time
from collections.abc import Awaitable, Callable

from app.items import evidence, outcome, timeouts
from app.items.outcome import Attempt
from app.models.queries import timeouts as queries
from app.settings import RetrySettings
from app.transports.contract import (
    Accepted,
    NotSent,
    Outcome,
    Rejected,
    TryLater,
    Unknown,
)
from tests.fakes.items import Put, event

type Fact = Callable[[Put], Awaitable[None]]

OUTCOMES: dict[str, Outcome] = {
    "accepted": Accepted("message-1"),
    "rejected": Rejected("no such user", "550"),
    "try later": TryLater("busy", "451"),
    "not sent": NotSent("no connection"),
    "unknown": Unknown("no answer"),
}


def attempt_of(item: Put, **numbers: int) -> Attempt:
    return Attempt(
        item_id=item.id,
        attempt_id=item.attempt,
        method=item.method,
        retries=numbers.get("retries", 0),
        not_sent=numbers.get("not_sent", 0),
        actor="worker",
    )


async def record(item: Put, result: Outcome, **numbers: int) -> None:
    await outcome.record(
        outcome.entry_for(attempt_of(item, **numbers), result, RetrySettings()),
        clock=time.monotonic,
    )


async def report(item: Put, said: str) -> None:
    """What a provider says, also when it says it again."""
    for event_id in await evidence.store("sandbox", [event(said, item.attempt)]):
        await evidence.apply(event_id)


async def time_out(item: Put) -> None:
    await queries.time_out(item.id, item.attempt, "no report in time", timeouts.ACTOR)


def fact(name: str) -> Fact:
    """The fact of that name: an outcome, a report, or the timeout."""
    if name == "timeout":
        return time_out
    if name == "accepted":
        return lambda item: record(item, Accepted(f"message of {item.id}"))
    if name in OUTCOMES:
        return lambda item: record(item, OUTCOMES[name])
    return lambda item: report(item, name)
