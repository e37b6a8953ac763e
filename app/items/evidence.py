"""What providers report: stored before it is interpreted, then applied as far as it is believed."""

import uuid
from collections.abc import Sequence
from uuid import UUID

from arvel.kernel.logging import LogManager

from app.events import measures, traces
from app.items import pause
from app.items.proof import BY_ITEM, is_proven
from app.models import storable
from app.models.queries import evidence as queries
from app.models.statements import Row
from app.transports.channels import signs_webhooks
from app.transports.contract import ProviderEvent, Report

FAILURES_LIMIT = 5
TEXT_LIMIT = 2000


async def store(provider: str, events: Sequence[ProviderEvent]) -> list[UUID]:
    """Store events; the ids of those that are still to be applied, repeated ones included."""
    if not events:
        return []
    unique = {event.event_key: event for event in events}
    rows = [(uuid.uuid7(), *told_by(event)) for _, event in sorted(unique.items())]
    return await queries.store(provider, [list(column) for column in zip(*rows, strict=True)])


def told_by(event: ProviderEvent) -> tuple[object, ...]:
    """What an event says, in the order of the columns."""
    return (
        storable.key(event.event_key),
        storable.key(event.message_id) if event.message_id else None,
        event.attempt_key,
        event.item_key,
        storable.text(event.recipient),
        event.type.value,
        event.report.value,
        storable.text(event.status),
        storable.text(event.code),
        storable.text(event.text[:TEXT_LIMIT]),
        storable.text(event.reason),
        event.occurred_at,
        storable.to_json(event.raw),
    )


async def apply(event_id: UUID, *, actor: str | None = None, key: UUID | None = None) -> str:
    """Find the attempt that an event is about and let it count; the verdict, for the log.

    ``actor`` and ``key``: who has it applied once more, and by which decision.
    """
    match = await queries.match(event_id)
    if match is None:
        return "applied"
    signed = signs_webhooks(match["provider"])
    if signed and match["attempt_id"] is None and match["attempt_key"] and match["known_item"]:
        # A password alone may have been guessed or leaked: it makes no attempt, and stops nobody.
        if await queries.recover(match["known_item"], match["attempt_key"], match["provider"]):
            await pause.pause_all(pause.LOST_COMMITS)
        match = await queries.match(event_id)
    if match is None or match["attempt_id"] is None:
        await queries.settle(event_id, "orphan", final=False)
        return "orphan"
    await _trace(match)
    if match["differs"]:
        return await _set_aside(event_id, match["attempt_id"], match["item_id"])
    if not is_proven(match, signed=signed):
        return await _disbelieve(event_id, match)
    if actor is None:
        measures.measure_report(match["provider"], match["waited"], match["delay"])
    actor = actor or f"provider:{match['provider']}"
    row = await queries.apply(event_id, match["attempt_id"], match["item_id"], actor, key)
    return str(row["after"] or "kept") if row else "gone"


async def _trace(match: Row) -> None:
    """Lead from the report to the attempt that it is about."""
    traces.tell({traces.ITEM: match["item_id"], traces.ATTEMPT: match["attempt_id"]})
    await traces.link(match["item_id"])


async def _set_aside(event_id: UUID, attempt_id: UUID, item_id: UUID) -> str:
    """The attempt stores another id of the provider: the event is kept and changes nothing."""
    LogManager().channel("dispatch").warning(
        "event_names_another_message", event_id=str(event_id), attempt_id=str(attempt_id)
    )
    await queries.settle(
        event_id, "other_message", attempt_id=attempt_id, item_id=item_id, final=True
    )
    return "other_message"


async def _disbelieve(event_id: UUID, match: Row) -> str:
    """Kept and shown, and it changes nothing; one that names the item alone may still be joined
    once the id of its message is known."""
    if match["step"] == BY_ITEM:
        await queries.settle(event_id, "orphan", final=False)
        return "orphan"
    LogManager().channel("dispatch").warning(
        "event_without_proof", event_id=str(event_id), provider=match["provider"]
    )
    await queries.settle(
        event_id,
        "unproven",
        attempt_id=match["attempt_id"],
        item_id=match["item_id"],
        final=True,
    )
    return "unproven"


async def apply_safely(event_id: UUID, *, actor: str | None = None, key: UUID | None = None) -> str:
    """Apply an event; a failure is counted on it and blocks nobody else."""
    try:
        return await apply(event_id, actor=actor, key=key)
    except Exception as error:
        LogManager().channel("dispatch").warning(
            "event_not_applied", event_id=str(event_id), error=type(error).__name__
        )
        await queries.count_failure(event_id, FAILURES_LIMIT)
        return "failed"


async def report(provider: str, events: Sequence[ProviderEvent]) -> None:
    """Store and apply at once what was learned by asking."""
    for event_id in await store(provider, [e for e in events if e.report is not Report.NOTED]):
        await apply_safely(event_id)
