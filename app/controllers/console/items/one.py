"""The page of one item: what happened to it, and what can be done about it."""

from typing import Any, cast
from uuid import UUID

from msgspec import UNSET

from app.controllers.api.problems import Problem
from app.controllers.console.asking import ask
from app.controllers.console.items.actions import offers_for
from app.controllers.console.items.drawing import Drawing, draw
from app.controllers.console.items.message import texted
from app.controllers.console.items.timeline import timeline_of
from app.controllers.console.page import Answer, GoTo, Page, Show, Visit
from app.models.queries import dead_letters

WHOLE = ["sender", "receiver", "email", "sms", "attempts", "events", "history", "attachments"]
GONE = (
    "There is no such item, or not any more: it may have been forgotten with old history. Look for"
    " it by a name, an address or a number."
)


async def show(visit: Visit) -> Answer:
    try:
        item = await ask(visit, "queue-items.show", path=visit.path, query={"expand": WHOLE})
    except Problem as problem:
        if problem.kind.slug != "not-found":
            raise
        return GoTo("/console/queue", GONE, trouble=True)
    offers = await offers_for(visit, item)
    return Show(
        "items/one",
        {
            "item": item,
            "email": _given(item.email),
            "texted": texted(item.sms),
            "attachments": _given(item.attachments) or [],
            "offers": [one for one in offers if not one.why_not],
            "refused": [one for one in offers if one.why_not],
            "timeline": timeline_of(item),
            "drawing": _drawn(item),
            "letters": await _letters(visit, item.id),
        },
    )


def _given(value: Any) -> Any:
    return None if value is UNSET else value


def _drawn(item: Any) -> Drawing:
    changes = cast("list[Any]", _given(item.history) or [])
    return draw(item.state, [(change.from_state, change.to_state) for change in changes])


async def _letters(visit: Visit, item_id: UUID) -> list[Any]:
    if not visit.caller.may("manage_failed_jobs"):
        return []
    return list(await dead_letters.list_of_item(item_id))


PAGES = (Page("/console/items/{id}", show, ("read_queueitem",)),)
