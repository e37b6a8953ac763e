"""The way of one decision about many: what it would do, then what it did."""

import uuid
from dataclasses import dataclass

from app.controllers.api.problems import Problem
from app.controllers.console.asking import ask
from app.controllers.console.bulk.meant import describe, find_beyond, read_criteria
from app.controllers.console.forms import Form
from app.controllers.console.page import Answer, GoTo, Page, Show, Visit
from app.controllers.console.places import safe

NEEDED = ("list_queueitem",)


@dataclass(frozen=True, slots=True)
class Deed:
    """What is done to many: ``title`` on buttons, ``done`` and ``doing`` in sentences."""

    name: str
    title: str
    operation: str
    means: str
    done: str


DEEDS = {
    "retry": Deed("retry", "Retry", "queue-items.retry-many", "queued again", "retried"),
    "cancel": Deed("cancel", "Cancel", "queue-items.cancel-many", "given up", "cancelled"),
    "resend": Deed(
        "resend", "Send again", "sent-items.resend-many", "sent once more, as copies", "copied"
    ),
}
NOTHING = "Select at least one item first."


async def review(visit: Visit) -> Answer:
    """Comes from a list, with the selected items or with its filters."""
    form = visit.form
    if form["all"] in DEEDS:
        return await _review_all(visit, DEEDS[form["all"]])
    deed = _deed(form)
    ids = form.all("id")
    if not ids:
        return GoTo(safe(form["then"]), NOTHING, trouble=True)
    body = {"ids": ids, "dry_run": True}
    tried = await ask(visit, deed.operation, body=body, key="")
    by_result: dict[str, list[object]] = {"done": [], "unknown": [], "refused": [], "missing": []}
    for one in tried.data:
        by_result[one.result].append(one)
    data = {"deed": deed, "ids": ids, "results": by_result, "then": safe(form["then"])}
    return Show("bulk/review", {**data, "key": str(uuid.uuid4())})


async def _review_all(visit: Visit, deed: Deed) -> Answer:
    then = safe(visit.form["then"])
    if beyond := find_beyond(visit.form):
        return GoTo(then, beyond, trouble=True)
    criteria = read_criteria(visit.form)
    counted = await ask(visit, "operations.start", body=_wanted(deed, criteria, dry_run=True))
    fields = [(name, str(value)) for name, value in criteria.items()]
    return Show(
        "bulk/review_all",
        {
            "deed": deed,
            "count": counted,
            "fields": fields,
            "told": describe(criteria),
            "then": then,
            "key": str(uuid.uuid4()),
        },
    )


async def do_selected(visit: Visit) -> Answer:
    deed, form = _deed(visit.form), visit.form
    body = {"ids": form.all("id"), "confirm": form["confirm"] == "yes"}
    done = await ask(visit, deed.operation, body=body, key=form["key"] if _sends(deed) else "")
    return Show("bulk/results", {"deed": deed, "results": done.data, "then": safe(form["then"])})


async def do_all(visit: Visit) -> Answer:
    deed, form = _deed(visit.form), visit.form
    criteria = {name[2:]: value for name, value in form if name.startswith("f_") and value}
    meant: dict[str, object] = {"all": True} if "all" in criteria else dict(criteria)
    body = _wanted(deed, meant, confirm=form["confirm"] == "yes")
    try:
        started = await ask(visit, "operations.start", body=body, key=form["key"])
    except Problem as problem:
        running = problem.members.get("operation")
        if running is None:
            raise
        return GoTo(f"/console/operations/{running}", problem.detail, trouble=True)
    return GoTo(f"/console/operations/{started.id}", "It has begun.")


def _wanted(deed: Deed, criteria: object, **how: bool) -> dict[str, object]:
    return {"action": deed.name, "filter": criteria, **how}


def _sends(deed: Deed) -> bool:
    return deed.name == "resend"


def _deed(form: Form) -> Deed:
    try:
        return DEEDS[form["action"]]
    except KeyError:
        raise Problem("malformed", "There is no such action.") from None


PAGES = (
    Page("/console/bulk", review, NEEDED, changes=True),
    Page("/console/bulk/selected", do_selected, (), changes=True),
    Page("/console/bulk/all", do_all, NEEDED, changes=True),
)
