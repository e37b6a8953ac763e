"""A walk through an index: from where, in which order, how far, and what that is in SQL."""

from collections.abc import Callable
from dataclasses import dataclass

from app.models.queries.browsing.conditions import Parameters, said_by
from app.models.queries.browsing.wanted import Key, Order, Wanted

TIMES = {
    "queued": {"queued_from": "queued >= {}", "queued_until": "queued < {}"},
    "finished_at": {"finished_from": "finished_at >= {}", "finished_until": "finished_at < {}"},
}

WALK = "SELECT {key} AS id, {at} AS at{{}} FROM {table} WHERE {where} ORDER BY {order} LIMIT {n}"


@dataclass(frozen=True, slots=True)
class Lead:
    """A statement that yields ids, and the criteria that hold for all of them.

    ``template`` has a place for further columns of ``table``, when it reads a table's rows.
    """

    template: str
    table: str | None
    settled: frozenset[str]

    def sql(self, *columns: str) -> str:
        if self.table is None:
            return self.template
        return self.template.format("".join(f", {column}" for column in columns))


@dataclass(frozen=True, slots=True)
class Walk:
    """Through which index, in which order, from where, over how many entries."""

    leading: Leading
    order: Order
    after: Key | None
    entries: int

    def lead(self, wanted: Wanted, given: Parameters) -> Lead:
        return self.leading(wanted, self, given)


type Leading = Callable[[Wanted, Walk, Parameters], Lead]
"""How a walk finds its way."""


def lead_through(
    table: str, key: str, walk: Walk, where: list[str], settled: tuple[str, ...]
) -> Lead:
    """A walk through the index of ``table`` that these conditions and the order call for."""
    at = walk.order.column
    template = WALK.format(
        key=key,
        at=at,
        table=table,
        where=" AND ".join(where).replace("{", "{{").replace("}", "}}"),
        order=in_order(walk.order, at, key),
        n=walk.entries,
    )
    return Lead(template, table, frozenset((*settled, *TIMES[at])))


def bounds(wanted: Wanted, walk: Walk, key: str, given: Parameters) -> list[str]:
    """Where the walk begins and ends, as conditions on its index."""
    at = walk.order.column
    found = said_by(wanted, TIMES[at], (), given)
    if walk.after is not None:
        found.append(behind(walk.order, walk.after, at, key, given))
    return found


def behind(order: Order, after: Key, at: str, key: str, given: Parameters) -> str:
    """That a row comes after ``after``."""
    sign = "<" if order.descending else ">"
    return f"({at}, {key}) {sign} ({given.add(after.at)}::timestamptz, {given.add(after.id)}::uuid)"


def in_order(order: Order, at: str = "at", key: str = "id") -> str:
    down = " DESC" if order.descending else ""
    return f"{at}{down}, {key}{down}"
