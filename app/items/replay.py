"""Applying what a provider reported once more, as it was read then or as it is read now."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from arvel.kernel import app

from app.items import evidence
from app.items.evidence import told_by
from app.models.queries import reports as queries
from app.models.statements import Row
from app.transports.contract import ProviderEvent

APPLIED = "A report was applied again."
READ = "A report was read and applied again."


class UnknownEvent(LookupError):
    """There is no event with this id."""


@dataclass(frozen=True, slots=True)
class Replay:
    """Who wants it, and by which decision, as the history has it."""

    actor: str
    key: UUID


async def apply_again(event_id: UUID, replay: Replay) -> Sequence[Row]:
    """Let an event count as if it came now, also one that failed five times; what it came to.

    What it had changed before it doesn't change again. Raises :class:`UnknownEvent`.
    """
    await make_applicable(event_id, APPLIED, replay)
    return await apply_all([event_id], replay)


async def read_again(event: Row, news: Sequence[ProviderEvent], replay: Replay) -> Sequence[Row]:
    """Store and apply what a parser makes of a stored event now; what all of it came to.

    News under the event's own key replaces what the event said. Under another key it is an event
    of its own, unless it is stored already. Raises :class:`UnknownEvent`.
    """
    told = [with_keys(event, one) for one in news]
    async with app().make("db").transaction():
        await make_applicable(event["id"], READ, replay)
        others = [one for one in told if not await replaces(event, one)]
        stored = await evidence.store(event["provider"], others)
    return await apply_all(list(dict.fromkeys([event["id"], *stored])), replay)


async def make_applicable(event_id: UUID, text: str, replay: Replay) -> None:
    if not await queries.make_applicable(event_id, replay.actor, text, replay.key):
        raise UnknownEvent


async def replaces(event: Row, news: ProviderEvent) -> bool:
    """Whether the news is what the event itself says, which is noted then."""
    *told, _raw = told_by(news)
    return await queries.reinterpret(event["id"], told)


def with_keys(event: Row, news: ProviderEvent) -> ProviderEvent:
    """With the keys that came beside the raw form, as in an address."""
    has_keys = news.item_key is not None or news.attempt_key is not None
    if has_keys or news.message_id != event["message_id"]:
        return news
    return replace(news, item_key=event["item_key"], attempt_key=event["attempt_key"])


async def apply_all(ids: Sequence[UUID], replay: Replay) -> Sequence[Row]:
    for event_id in ids:
        await evidence.apply_safely(event_id, actor=replay.actor, key=replay.key)
    return await queries.find_outcomes(ids, replay.key)
