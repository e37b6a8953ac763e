"""How many items each filter would show, beside the other filters."""

from dataclasses import dataclass

from msgspec import structs

from app.access.caller import Caller
from app.controllers.api.items.query import ListQuery
from app.controllers.api.items.wanting import read_order, read_wanted
from app.controllers.console.items.filters import Listing
from app.controllers.console.words import number
from app.models.queries.browsing.counting import count
from app.models.snapshots import Snapshot, snapshot

METHODS = ("email", "sms")


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter that is one press away: what it sets, and how many items it leaves."""

    value: str
    count: str


@dataclass(frozen=True, slots=True)
class Chips:
    states: list[Chip]
    methods: list[Chip]
    total: str


async def count_chips(listing: Listing, query: ListQuery, caller: Caller) -> Chips:
    """Counted up to 10,000 each, in one moment of the database."""
    async with snapshot() as now:

        async def chip(value: str, **changes: object) -> Chip:
            return Chip(value, await _count(now, structs.replace(query, **changes), caller))

        states = [await chip(state, state=[state]) for state in listing.states]
        methods = [await chip(method, method=method) for method in METHODS]
        return Chips(states, methods, await _count(now, structs.replace(query, state=[]), caller))


async def _count(now: Snapshot, query: ListQuery, caller: Caller) -> str:
    found = await count(now, read_wanted(query, caller), read_order(query))
    return number(found.value) + ("+" if found.capped else "")
