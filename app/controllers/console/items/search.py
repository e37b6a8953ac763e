"""One box for whatever somebody has in hand: a name, an address, a number, an id of ours or of a
provider.
"""

import asyncio
import re
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from app.controllers.api.problems import Problem
from app.controllers.console.asking import try_asking
from app.controllers.console.items.filters import QUEUE, SENT
from app.controllers.console.items.rows import Row, row_of
from app.controllers.console.page import Answer, GoTo, Page, Show, Visit

FEW = 20
WORD = re.compile(r"[0-9A-Za-z\u00c0-\ud7ff]{3}")
NUMBER = re.compile(r"\+?[0-9][0-9 ()/.-]{5,30}")
SPACING = re.compile(r"[ ()/.-]")
TOO_SHORT = "Give three letters or digits in a row, or more."
ID_ONLY = "You may look for items by their id. Looking by anything else needs read_content."


async def search(visit: Visit) -> Answer:
    sought = visit.query["q"].strip()
    if key := _as_key(sought):
        found = await try_asking(visit, "queue-items.show", path={"id": key})
        if not isinstance(found, Problem):
            return GoTo(f"/console/items/{key}")
    if not sought:
        return Show("items/found", {"sought": "", "hint": TOO_SHORT, "groups": []})
    if not visit.caller.may("read_content"):
        return Show("items/found", {"sought": sought, "hint": ID_ONLY, "groups": []})
    return await _look(visit, sought)


async def _look(visit: Visit, sought: str) -> Answer:
    text = SPACING.sub("", sought) if NUMBER.fullmatch(sought) else sought
    by_words = bool(WORD.search(text)) and len(text) <= 100
    groups = [await _group(visit, listing, text, by_words) for listing in (QUEUE, SENT)]
    ids = [row.id for _, rows in groups for row in rows]
    if len(ids) == 1:
        return GoTo(f"/console/items/{ids[0]}")
    hint = "" if by_words or ids else TOO_SHORT
    return Show("items/found", {"sought": sought, "text": text, "hint": hint, "groups": groups})


async def _group(visit: Visit, listing: Any, text: str, by_words: bool) -> tuple[Any, list[Row]]:
    ways: list[dict[str, object]] = [{"message_id": text}]
    if by_words:
        ways.append({"q": text})
    answers = await asyncio.gather(
        *(try_asking(visit, listing.operation, query={**way, "limit": FEW}) for way in ways)
    )
    return listing, _once([row_of(item) for page in answers for item in _items(page)])


def _items(page: Any) -> Sequence[Any]:
    return [] if isinstance(page, Problem) else page.data


def _once(rows: list[Row]) -> list[Row]:
    return list({row.id: row for row in rows}.values())[:FEW]


def _as_key(sought: str) -> str:
    try:
        return str(UUID(sought))
    except ValueError:
        return ""


PAGES = (Page("/console/search", search, ("list_queueitem",)),)
