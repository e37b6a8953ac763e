"""Reads lists and single items, and hides what the caller may not see."""

from collections.abc import Sequence
from uuid import UUID

from app.access.caller import Caller
from app.controllers.api import masking
from app.controllers.api.items import cursor
from app.controllers.api.items.expand import expand
from app.controllers.api.items.query import Expansion, ListQuery
from app.controllers.api.items.render import render
from app.controllers.api.items.schemas import Item, ItemCount, ItemPage
from app.controllers.api.items.wanting import describe, read_order, read_wanted
from app.controllers.api.problems import Problem
from app.controllers.api.serve import require
from app.models.queries.browsing.counting import count
from app.models.queries.browsing.items import find_items
from app.models.queries.browsing.page import find_page
from app.models.snapshots import Snapshot, snapshot


async def read_page(query: ListQuery, caller: Caller) -> ItemPage:
    """A page of a list; raises :class:`Problem`."""
    require_expansions(query.expand, caller)
    wanted, order = read_wanted(query, caller), read_order(query)
    asked = describe(wanted, order)
    after = None if query.cursor is None else cursor.read(query.cursor, asked)
    async with snapshot() as reading:
        page = await find_page(reading, wanted, order, after, query.limit)
        items = await _read(
            reading, [key.id for key in page.keys], query.expand, caller, whole=False
        )
        answer = ItemPage(items, page.last and cursor.write(page.last, asked))
        if query.count:
            counted = await count(reading, wanted, order)
            answer.count = ItemCount(counted.value, counted.capped)
    return masking.mask(caller, answer)


async def read_item(
    key: UUID, wanted: Sequence[Expansion], caller: Caller, *, done_only: bool = False
) -> Item:
    """One item; raises :class:`Problem` 404 where there is none, or none that is done."""
    async with snapshot() as reading:
        found = await _read(reading, [key], wanted, caller, whole=True)
    if not found or (done_only and not found[0].done):
        raise Problem("not-found")
    return masking.mask(caller, found[0])


def require_expansions(wanted: Sequence[Expansion], caller: Caller) -> None:
    """What belongs to an item is for whoever may read single items."""
    if wanted:
        require(caller, "read_queueitem")


async def _read(
    reading: Snapshot,
    ids: Sequence[UUID],
    wanted: Sequence[Expansion],
    caller: Caller,
    *,
    whole: bool,
) -> list[Item]:
    rows = await find_items(reading, ids)
    with_content = caller.may(masking.PERMISSION)
    items = [render(row, with_content=with_content) for row in rows]
    await expand(reading, items, rows, wanted, whole=whole)
    return items
