"""Walks through an index that has the wanted order, over a bounded number of its entries.

Each yields ``id`` and ``at``, in order, so that whoever reads them may stop early.
"""

from collections.abc import Iterator

from app.models.queries.browsing.conditions import WRITTEN_ONCE, Parameters, said_by
from app.models.queries.browsing.walk import (
    Lead,
    Leading,
    Walk,
    bounds,
    in_order,
    lead_through,
)
from app.models.queries.browsing.wanted import ALL_DONE, METHODS, Order, Wanted
from app.workflow import State


def find_ways(wanted: Wanted, order: Order) -> tuple[Leading, ...]:
    """The walks that may come by what is wanted soonest, the likeliest first."""
    if order.column == "finished_at":
        return (_finished,)
    narrow = find_narrow(wanted)
    if narrow is not None:
        # What is frequent in the past may be rare in the list, or the other way round.
        return (narrow, by_state)
    if wanted.text is not None and wanted.states == ALL_DONE:
        return (by_state, _all)
    return (by_state,)


def find_narrow(wanted: Wanted) -> Leading | None:
    """A walk that all items of some criterion are on, and no others."""
    for names, leading in NARROW:
        if all(getattr(wanted, name) is not None for name in names):
            return leading
    return None


def _written_once(*names: str) -> Leading:
    table = {name: WRITTEN_ONCE[name].replace("s.", "") for name in names}

    def leading(wanted: Wanted, walk: Walk, given: Parameters) -> Lead:
        where = [*said_by(wanted, table, (), given), *bounds(wanted, walk, "item_id", given)]
        return lead_through("item_search", "item_id", walk, where, names)

    return leading


def _tagged(wanted: Wanted, walk: Walk, given: Parameters) -> Lead:
    where = [f"tag = {given.add(wanted.tag)}", *bounds(wanted, walk, "item_id", given)]
    return lead_through("item_tags", "item_id", walk, where, ("tag",))


def _errored(wanted: Wanted, walk: Walk, given: Parameters) -> Lead:
    kind = f"error_kind = {given.add(wanted.error_kind)}"
    where = ["state = 'errored'", kind, *bounds(wanted, walk, "id", given)]
    settled = ("error_kind", "states") if State.ERRORED in wanted.states else ("error_kind",)
    return lead_through("queue_items", "id", walk, where, settled)


NARROW: tuple[tuple[tuple[str, ...], Leading], ...] = (
    (("receiver",), _written_once("receiver")),
    (("origin_type", "origin_id"), _written_once("origin_type", "origin_id")),
    (("error_kind",), _errored),
    (("tag",), _tagged),
    (("created_by",), _written_once("created_by")),
    (("origin_type",), _written_once("origin_type")),
)
"""Criteria with an index of their own in the order of ``queued``: what is rarest first."""


def _all(wanted: Wanted, walk: Walk, given: Parameters) -> Lead:
    # Nearly all items are done: this saves reaching the text of each by its key.
    where = ["true", *bounds(wanted, walk, "item_id", given)]
    return lead_through("item_search", "item_id", walk, where, ())


def _finished(wanted: Wanted, walk: Walk, given: Parameters) -> Lead:
    where = ["finished_at IS NOT NULL", *bounds(wanted, walk, "id", given)]
    return lead_through("queue_items", "id", walk, where, ())


def by_state(wanted: Wanted, walk: Walk, given: Parameters) -> Lead:
    """The walk through states and methods, whatever else is wanted."""
    times = bounds(wanted, walk, "id", given)
    settled = ("states", "method")
    parts = [
        lead_through("queue_items", "id", walk, [*alone, *times], settled)
        for alone in _each(wanted)
    ]
    if len(parts) == 1:
        return parts[0]
    merged = " UNION ALL ".join(f"({part.sql()})" for part in parts)
    order = in_order(walk.order)
    sql = f"SELECT id, at FROM ({merged}) m ORDER BY {order} LIMIT {walk.entries}"
    return Lead(sql, None, parts[0].settled)


def _each(wanted: Wanted) -> Iterator[list[str]]:
    """One state and method at a time: then the index has the order, and is merged."""
    finished = f"finished_at IS {'NOT ' if wanted.done else ''}NULL"
    for state in wanted.states:
        for method in METHODS if wanted.method is None else (wanted.method,):
            yield [finished, f"state = '{state}'", f"method = '{method}'"]
