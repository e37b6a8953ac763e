"""What happens to an item whose worker died inside an attempt.

Neither a lock nor a heartbeat is asked: the lease is over by the database's clock, and the worker
obeys the same lease by its own.
"""

import asyncio

from app.events import measures
from app.items import doubt, evidence
from app.items.doubt import Find
from app.items.outcome import letter_for
from app.models.queries import record as recording
from app.models.queries import timeouts as queries
from app.models.queries.record import Entry
from app.models.queries.timeouts import Abandoned, Waiting
from app.settings import RescueSettings
from app.transports.channels import current
from app.transports.contract import Found, NotFound
from app.workflow import ErrorKind

ACTOR = "sweep"
AT_ONCE = 20
"""Attempts that are settled at the same time: each may wait for its provider's answer."""
UNKNOWN = (
    "The worker stopped between starting this attempt and recording it: the message may or may not "
    "have been sent. Retry or cancel it with a confirmation once you know."
)
ACCEPTED = "The worker stopped before it could record that the provider has the message."
NOT_SENT = "The worker stopped, and the provider says that it never got the message."
AGAIN = "The worker stopped; the provider will recognise the same message, so it is sent again."


async def rescue(find: Find, limit: int) -> int:
    """Settle abandoned attempts: by what is known, by asking, else as unknown. How many."""
    abandoned = await queries.find_abandoned(limit)
    gate = asyncio.Semaphore(AT_ONCE)

    async def settle(one: Abandoned) -> None:
        async with gate:
            await _rescue_one(one, find)

    async with asyncio.TaskGroup() as group:
        for one in abandoned:
            group.create_task(settle(one))
    return len(abandoned)


async def _rescue_one(abandoned: Abandoned, find: Find) -> None:
    attempt = abandoned.attempt
    for event_id in await queries.find_events_of(attempt):
        await evidence.apply_safely(event_id)
    match await doubt.ask(find, attempt):
        case Found(events, message_id):
            await evidence.report(attempt.channel, events)
            entry = _accepted(attempt, message_id)
        case NotFound():
            entry = _entry(attempt, "not_sent", "delay", NOT_SENT, delay=0.0)
        case _ if _may_be_repeated(abandoned):
            entry = _entry(attempt, "unknown", "delay", AGAIN, delay=0.0)
        case _:
            entry = _unknown(attempt)
    written = await recording.record(entry)
    if written is not None and written["after"] is not None:
        measures.count_attempt(
            attempt.channel, entry.outcome, may_have_been_sent=entry.may_have_been_sent
        )


def _may_be_repeated(abandoned: Abandoned) -> bool:
    """The provider deduplicates, has not forgotten the key, and rescues are left."""
    return abandoned.rescues < RescueSettings().max_rescues and abandoned.key_age < _window(
        abandoned.attempt.channel
    )


def _window(channel: str) -> float:
    channels = current()
    transport = channels.email.get(channel) or channels.sms.get(channel)
    return transport.facts.idempotency_window if transport is not None else 0.0


def _accepted(attempt: Waiting, message_id: str | None) -> Entry:
    entry = _entry(attempt, "accepted", "await", ACCEPTED, said="in_flight")
    return recording.with_message_id(entry, message_id or attempt.message_id)


def _unknown(attempt: Waiting) -> Entry:
    entry = _entry(attempt, "unknown", "error", UNKNOWN, error_kind=ErrorKind.OUTCOME_UNKNOWN)
    return recording.with_letter(entry, letter_for(attempt.item_id, attempt.attempt_id))


def _entry(
    attempt: Waiting,
    outcome: str,
    transition: str,
    text: str,
    *,
    delay: float | None = None,
    error_kind: str | None = None,
    said: str = "",
) -> Entry:
    return Entry(
        item_id=attempt.item_id,
        attempt_id=attempt.attempt_id,
        outcome=outcome,
        transition=transition,
        text=text,
        actor=ACTOR,
        may_have_been_sent=outcome == "unknown",
        error_kind=error_kind,
        delay=delay,
        said=said,
        only_after_lease=True,
        window=_window(attempt.channel),
    )
