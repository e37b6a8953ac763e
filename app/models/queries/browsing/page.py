"""Which items are on a page?"""

from typing import NamedTuple

from app.models.queries.browsing.candidates import expect
from app.models.queries.browsing.gathering import find_gathered
from app.models.queries.browsing.leads import find_narrow, find_ways
from app.models.queries.browsing.walking import find_end, find_on_the_way, plan_walk
from app.models.queries.browsing.wanted import Key, Order, Page, Wanted
from app.models.snapshots import Snapshot

BUDGET = 12_000
"""How many entries of an index a page may cost."""

STEPS = 2_000
"""How many are looked at first."""

SHORT = 4_000
"""The same, where gathering comes next."""

FEW = 1_000
"""Candidates that are gathered at once: a walk would pass too many others."""

TOO_MANY = 10_000
"""Candidates that aren't gathered at all: a walk comes by enough of them."""


async def find_page(
    snapshot: Snapshot, wanted: Wanted, order: Order, after: Key | None, limit: int
) -> Page:
    """The next ``limit`` items behind ``after``.

    Items that come and go between two pages neither move the others nor repeat them.
    """
    asked = _Asked(wanted, order, after, limit)
    expected = await expect(snapshot, wanted, order)
    if expected is None or expected > TOO_MANY:
        return await _walk(snapshot, asked, BUDGET)
    if expected > FEW or (find_narrow(wanted) is not None and wanted.message_id is None):
        page = await _walk(snapshot, asked, SHORT)
        if page.last is None or len(page.keys) == limit:
            return page
    gathered = await find_gathered(snapshot, wanted, order, after, limit + 1)
    return await _walk(snapshot, asked, BUDGET) if gathered is None else _cut(gathered, limit)


class _Asked(NamedTuple):
    wanted: Wanted
    order: Order
    after: Key | None
    limit: int


async def _walk(snapshot: Snapshot, asked: _Asked, budget: int) -> Page:
    """The first way that fills the page, else what was come by on the way that led furthest.

    A few steps on each come first: mostly one of them is enough.
    """
    page = Page([], None)
    for steps in (min(STEPS, budget), budget):
        page = await _walk_so_far(snapshot, asked, steps)
        if page.last is None or len(page.keys) == asked.limit:
            return page
    return page


async def _walk_so_far(snapshot: Snapshot, asked: _Asked, budget: int) -> Page:
    wanted, order, after, limit = asked
    furthest: Page | None = None
    for leading in find_ways(wanted, order):
        walk = plan_walk(wanted, leading, order, after, budget)
        keys = await find_on_the_way(snapshot, wanted, walk, limit + 1)
        if len(keys) > limit:
            return _cut(keys, limit)
        page = Page(keys, await find_end(snapshot, wanted, walk))
        if page.last is None:
            return page
        if furthest is None or _is_further(page.last, furthest.last, order):
            furthest = page
    return furthest or Page([], None)


def _is_further(one: Key, other: Key | None, order: Order) -> bool:
    return other is not None and (one < other if order.descending else one > other)


def _cut(keys: list[Key], limit: int) -> Page:
    """A page of what may be one too many."""
    return Page(keys[:limit], keys[limit - 1] if len(keys) > limit else None)
