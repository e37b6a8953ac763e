"""A page, or a count, of all candidates at once."""

from app.models.queries.browsing.candidates import MOST, gather
from app.models.queries.browsing.conditions import Parameters
from app.models.queries.browsing.reach import reach
from app.models.queries.browsing.walk import Lead, behind, in_order
from app.models.queries.browsing.wanted import Key, Order, Wanted
from app.models.snapshots import Snapshot, TookTooLong
from app.models.statements import Row

PATIENCE_MS = 300
"""How long gathering may take before the answer is given without it."""

FOUND = "WITH found AS MATERIALIZED ({}) SELECT (SELECT count(*) FROM found) AS candidates, "


async def find_gathered(
    snapshot: Snapshot, wanted: Wanted, order: Order, after: Key | None, most: int
) -> list[Key] | None:
    """``most`` items behind ``after``; ``None`` when sorting all would take long."""
    row = await _run(snapshot, *gathered(wanted, order, after, most))
    if row is None:
        return None
    return [Key(at, key) for at, key in zip(row["ats"] or (), row["ids"] or (), strict=True)]


def gathered(wanted: Wanted, order: Order, after: Key | None, most: int) -> tuple[str, Parameters]:
    given = Parameters()
    at = f"q.{order.column}"
    found, reached = _reached(wanted, given)
    if after is not None:
        reached += f" AND {behind(order, after, at, 'w.id', given)}"
    page = f"SELECT w.id, {at} AS at {reached} ORDER BY {in_order(order, at, 'w.id')} LIMIT {most}"
    return f"{found} array_agg(p.id) AS ids, array_agg(p.at) AS ats FROM ({page}) p", given


async def count_gathered(snapshot: Snapshot, wanted: Wanted) -> int | None:
    """How many there are; ``None`` as :func:`find_gathered`."""
    row = await _run(snapshot, *counted(wanted))
    return None if row is None else row["n"]


def counted(wanted: Wanted) -> tuple[str, Parameters]:
    given = Parameters()
    found, reached = _reached(wanted, given)
    return f"{found} (SELECT count(*) {reached}) AS n", given


def _reached(wanted: Wanted, given: Parameters) -> tuple[str, str]:
    found = gather(wanted, given)
    # Sorting isn't begun when there are too many.
    enough = f"SELECT id FROM found WHERE (SELECT count(*) FROM found) <= {MOST}"
    few = Lead(enough, None, found.settled)
    return FOUND.format(found.sql()), reach(wanted, few, given, changing=True).sql


async def _run(snapshot: Snapshot, sql: str, given: Parameters) -> Row | None:
    try:
        [row] = await snapshot.run_within(PATIENCE_MS, sql, *given.values)
    except TookTooLong:
        return None
    return None if row["candidates"] > MOST else row
