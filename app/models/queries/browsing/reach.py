"""Puts an item's rows beside its id, each reached by its key.

The joins are fences: no estimate can make the planner read a table from end to end instead.
"""

from typing import NamedTuple

from app.models.queries.browsing.conditions import Parameters, of_changing, of_written_once
from app.models.queries.browsing.walk import Lead
from app.models.queries.browsing.wanted import Wanted

CHANGING = ("method", "state", "error_kind", "result", "queued", "finished_at")
WRITTEN_ONCE = (
    "receiver_name",
    "receiver_address",
    "origin_type",
    "origin_id",
    "tags",
    "created_by",
)
BY_KEY = "CROSS JOIN LATERAL (SELECT {columns} FROM {table} WHERE {key} = w.id OFFSET 0) {alias}"
CARRIED = "CROSS JOIN LATERAL (SELECT {columns}) {alias}"


class Reach(NamedTuple):
    """FROM and WHERE, and how many rows are looked up for each that the lead yields."""

    sql: str
    lookups: int


def reach(wanted: Wanted, lead: Lead, given: Parameters, *, changing: bool = False) -> Reach:
    """What a lead yields as ``w``, with all that is not settled yet.

    Rows stand beside it as ``q`` and ``s`` where they are asked for, ``q`` also on request.
    """
    of_q = of_changing(wanted, lead.settled, given)
    of_s = of_written_once(wanted, lead.settled, given)
    carried: tuple[str, ...] = ()
    lookups = 0
    joins: list[str] = []
    for needed, table, key, alias, columns in (
        (of_q or changing or (of_s and wanted.results), "queue_items", "id", "q", CHANGING),
        (of_s, "item_search", "item_id", "s", WRITTEN_ONCE),
    ):
        if needed and lead.table == table:
            carried = columns
            joins.append(CARRIED.format(columns=_of_lead(columns), alias=alias))
        elif needed:
            lookups += 1
            joins.append(
                BY_KEY.format(columns=", ".join(columns), table=table, key=key, alias=alias)
            )
    where = " AND ".join((*of_q, *of_s, "true"))
    return Reach(f"FROM ({lead.sql(*carried)}) w {' '.join(joins)} WHERE {where}", lookups)


def _of_lead(columns: tuple[str, ...]) -> str:
    return ", ".join(f"w.{column}" for column in columns)
