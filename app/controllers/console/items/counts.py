"""How many items each filter would show, beside the other filters."""

from dataclasses import dataclass
from typing import Any

from msgspec import structs

from app.access.caller import Caller
from app.controllers.api.items.query import ListQuery
from app.controllers.api.items.wanting import read_order, read_wanted
from app.controllers.console.items.filters import Listing
from app.controllers.console.overview.reading import Numbers, read
from app.controllers.console.words import METHODS, number
from app.models.queries.browsing.counting import count
from app.models.snapshots import Snapshot, snapshot


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
    """What is asked for most is counted already, for the overview."""
    if _is_plain(listing, query) and (numbers := await read()).counts is not None:
        return _take(listing, query, numbers)
    return await _count_all(listing, query, caller)


def _is_plain(listing: Listing, query: ListQuery) -> bool:
    """Whether nothing but states and methods is chosen."""
    plain = listing.query()
    same: dict[str, Any] = {"state": [], "method": None, "order": getattr(plain, "order", None)}
    return structs.replace(query, **same) == plain


def _take(listing: Listing, query: ListQuery, numbers: Numbers) -> Chips:
    chosen: list[str] = getattr(query, "state", [])
    methods = [query.method] if query.method else list(METHODS)
    states = [Chip(state, numbers.count([state], methods)) for state in listing.states]
    by_method = [Chip(m, numbers.count(chosen or listing.states, [m])) for m in METHODS]
    return Chips(states, by_method, numbers.count(listing.states, methods))


async def _count_all(listing: Listing, query: ListQuery, caller: Caller) -> Chips:
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
