"""How many items are wanted, as far as it can be said quickly?"""

from typing import NamedTuple

from app.models.queries.browsing.candidates import MOST, expect
from app.models.queries.browsing.gathering import count_gathered
from app.models.queries.browsing.leads import find_narrow, find_ways
from app.models.queries.browsing.page import TOO_MANY
from app.models.queries.browsing.walking import count_on_the_way, find_end, plan_walk
from app.models.queries.browsing.wanted import Order, Wanted
from app.models.snapshots import Snapshot

BUDGET = 15_000
"""How many entries of an index a count may cost."""


class Count(NamedTuple):
    """``capped``: there are at least so many."""

    value: int
    capped: bool


async def count(snapshot: Snapshot, wanted: Wanted, order: Order) -> Count:
    """How many items a list has altogether, up to 10,000."""
    expected = await expect(snapshot, wanted, order)
    rare = expected is not None and expected <= TOO_MANY
    narrow = find_narrow(wanted) is not None and wanted.message_id is None
    found = Count(0, True)
    if narrow or not rare:
        found = await _count_on_the_way(snapshot, wanted, order)
    if rare and found.capped and found.value < MOST:
        gathered = await count_gathered(snapshot, wanted)
        return found if gathered is None else Count(gathered, False)
    return found


async def _count_on_the_way(snapshot: Snapshot, wanted: Wanted, order: Order) -> Count:
    most = Count(0, True)
    for leading in find_ways(wanted, order):
        walk = plan_walk(wanted, leading, order, None, BUDGET)
        passed = await count_on_the_way(snapshot, wanted, walk, MOST + 1)
        if passed > MOST:
            return Count(MOST, True)
        if await find_end(snapshot, wanted, walk) is None:
            return Count(passed, False)
        most = max(most, Count(passed, True))
    return most
