"""Retry, cancel and resend of one item, each behind a page where that must be meant."""

import uuid
from typing import Any, cast

import msgspec

from app.controllers.api.problems import Problem
from app.controllers.console.asking import ask
from app.controllers.console.items.actions import ACTIONS, UNKNOWN, Action, offer
from app.controllers.console.items.rows import row_of
from app.controllers.console.page import Answer, GoTo, Handler, Page, Show, Visit

PATH = "/console/items/{id}/"


def asking_for(action: Action) -> Handler:
    """The page that says what it would do."""

    async def confirm(visit: Visit) -> Answer:
        item = await ask(visit, "queue-items.show", path=visit.path)
        offered = await offer(visit, action, item)
        if offered.why_not:
            return GoTo(f"/console/items/{item.id}", offered.why_not, trouble=True)
        filled = {"offer": offered, "row": row_of(item), "key": str(uuid.uuid4())}
        return Show("items/confirm", filled)

    return confirm


def doing(action: Action) -> Handler:
    async def act(visit: Visit) -> Answer:
        here = f"/console/items/{visit.path['id']}"
        body = {"confirm": visit.form["confirm"] == "yes"}
        key = visit.form["key"] if action.name == "resend" else ""
        try:
            done = await ask(visit, action.operation, path=visit.path, body=body, key=key)
        except Problem as problem:
            if problem.kind.slug == UNKNOWN:
                return GoTo(f"{here}/{action.name}")
            if problem.kind.slug != "conflict":
                raise
            return GoTo(here, problem.detail, trouble=True)
        return GoTo(_after(done) or here, action.done)

    return act


def _after(done: Any) -> str:
    """The copy, where there is one: as a struct, or as it was answered to an equal request."""
    answer = cast("dict[str, Any]", msgspec.to_builtins(done))
    copy = answer.get("copy_id")
    return f"/console/items/{copy}" if copy else ""


PAGES = tuple(
    page
    for action in ACTIONS.values()
    for page in (
        Page(f"{PATH}{action.name}", asking_for(action), ("read_queueitem",)),
        Page(f"{PATH}{action.name}", doing(action), (), changes=True),
    )
)
