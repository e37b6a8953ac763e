"""Rare items, gathered without an order and then sorted."""

import json

from app.models.queries.browsing.conditions import PERSON, Parameters, pattern
from app.models.queries.browsing.leads import by_state, find_narrow
from app.models.queries.browsing.walk import Lead, Walk
from app.models.queries.browsing.wanted import ALL_DONE, Order, Wanted
from app.models.snapshots import Snapshot

MOST = 10_000
"""So many can be sorted at once; what is more frequent is found by walking."""

BY_PROVIDERS_ID = """
WITH RECURSIVE known (provider) AS (
    SELECT min(a.provider) FROM attempts a WHERE a.message_id IS NOT NULL
    UNION ALL
    SELECT (SELECT min(a.provider) FROM attempts a
        WHERE a.message_id IS NOT NULL AND a.provider > k.provider)
    FROM known k WHERE k.provider IS NOT NULL
)
SELECT DISTINCT a.item_id AS id FROM known k CROSS JOIN LATERAL (
    SELECT b.item_id FROM attempts b
    WHERE b.provider = k.provider AND b.message_id = {} LIMIT {} OFFSET 0) a
LIMIT {}
"""
"""The index begins with the provider: each of the few there are is asked for."""

BY_TEXT = "SELECT s.item_id AS id FROM item_search s WHERE {}"
BY_RESULT = """
SELECT q.id FROM queue_items q
WHERE q.result IS NOT NULL AND q.error_kind IS NOT NULL AND lower(q.result) LIKE {}"""


def gather(wanted: Wanted, given: Parameters) -> Lead:
    """A statement that yields the ids of at most one more than :data:`MOST` candidates."""
    if wanted.message_id is not None:
        mark = given.add(wanted.message_id)
        return Lead(BY_PROVIDERS_ID.format(mark, MOST + 1, MOST + 1), None, frozenset())
    if wanted.text is not None:
        sql = " UNION ".join(f"({part} LIMIT {MOST + 1})" for part in _by_text(wanted, given))
        return Lead(sql, None, frozenset(("text",)))
    walk = Walk(find_narrow(wanted) or by_state, Order.NEWEST, None, MOST + 1)
    found = walk.lead(wanted, given)
    return Lead(f"SELECT id FROM ({found.sql()}) n", None, found.settled)


def _by_text(wanted: Wanted, given: Parameters) -> list[str]:
    mark = pattern(wanted.text or "", given)
    parts = [BY_TEXT.format(f"{PERSON} LIKE {mark}")]
    return [*parts, BY_RESULT.format(mark)] if wanted.results else parts


async def expect(snapshot: Snapshot, wanted: Wanted, order: Order) -> int | None:
    """About how many candidates there would be; ``None`` where only a walk can find items.

    :data:`MOST` stands for "nobody knows".
    """
    if wanted.message_id is not None:
        return 0
    if wanted.text is not None:
        return await _expect_of_text(snapshot, wanted)
    narrow = find_narrow(wanted) is not None
    selected = wanted.method is not None or wanted.states != ALL_DONE
    return MOST if order.column == "finished_at" and (narrow or selected) else None


async def _expect_of_text(snapshot: Snapshot, wanted: Wanted) -> int:
    # The planner's estimate from a sample of the rows: good enough to tell one in a hundred.
    given = Parameters()
    sql = " UNION ALL ".join(_by_text(wanted, given))
    [row] = await snapshot.run(f"EXPLAIN (FORMAT JSON) {sql}", *given.values)
    [plan] = json.loads(row["QUERY PLAN"])
    return int(plan["Plan"]["Plan Rows"])
