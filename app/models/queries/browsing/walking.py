"""What a bounded walk comes by."""

from dataclasses import replace

from app.models.queries.browsing.conditions import Parameters
from app.models.queries.browsing.reach import reach
from app.models.queries.browsing.walk import Leading, Walk, in_order
from app.models.queries.browsing.wanted import Key, Order, Wanted
from app.models.snapshots import Snapshot

COST_OF_A_LOOKUP = 4
"""What reaching a row by its key costs, in entries of an index that are read in order."""


def plan_walk(
    wanted: Wanted, leading: Leading, order: Order, after: Key | None, budget: int
) -> Walk:
    """A walk over as many entries as ``budget`` allows, the more the less each costs."""
    one = Walk(leading, order, after, 1)
    lookups = reach(wanted, one.lead(wanted, Parameters()), Parameters()).lookups
    return replace(one, entries=budget // (1 + COST_OF_A_LOOKUP * lookups))


async def find_on_the_way(snapshot: Snapshot, wanted: Wanted, walk: Walk, most: int) -> list[Key]:
    """What the walk comes by that is wanted, in order."""
    sql, given = on_the_way(wanted, walk, most)
    return [Key(row["at"], row["id"]) for row in await snapshot.run(sql, *given.values)]


def on_the_way(wanted: Wanted, walk: Walk, most: int) -> tuple[str, Parameters]:
    given = Parameters()
    reached = reach(wanted, walk.lead(wanted, given), given)
    order = in_order(walk.order, "w.at", "w.id")
    return f"SELECT w.id, w.at {reached.sql} ORDER BY {order} LIMIT {most}", given


async def count_on_the_way(snapshot: Snapshot, wanted: Wanted, walk: Walk, most: int) -> int:
    sql, given = counted(wanted, walk, most)
    [row] = await snapshot.run(sql, *given.values)
    return row["n"]


def counted(wanted: Wanted, walk: Walk, most: int) -> tuple[str, Parameters]:
    given = Parameters()
    reached = reach(wanted, walk.lead(wanted, given), given)
    return f"SELECT count(*) AS n FROM (SELECT 1 {reached.sql} LIMIT {most}) m", given


async def find_end(snapshot: Snapshot, wanted: Wanted, walk: Walk) -> Key | None:
    """Where the walk stopped; ``None`` when it saw all there is."""
    sql, given = end_of(wanted, walk)
    rows = await snapshot.run(sql, *given.values)
    return Key(rows[0]["at"], rows[0]["id"]) if rows else None


def end_of(wanted: Wanted, walk: Walk) -> tuple[str, Parameters]:
    given = Parameters()
    walked = walk.lead(wanted, given).sql()
    order, last = in_order(walk.order), walk.entries - 1
    return f"SELECT id, at FROM ({walked}) w ORDER BY {order} OFFSET {last} LIMIT 1", given
