"""What providers reported, and having it read or applied once more."""

from app.controllers.api.problems import Problem
from app.controllers.console.asking import ask, lacking
from app.controllers.console.items.timeline import pretty
from app.controllers.console.page import Answer, GoTo, Page, Show, Visit
from app.transports.contract import EventType

LISTING = ("list_queueitem", "read_queueitem")
ADDRESS = "/console/events"
STANDINGS = {
    "applied": "applied",
    "unapplied": "not applied (yet)",
    "failed": "failed five times",
}
FILTERS = ("provider", "type", "standing", "item_id")
DONE = {
    "kept": "It changed nothing more.",
    None: "Applying it failed; the log says why.",
}


async def show_all(visit: Visit) -> Answer:
    given = visit.query.filled(*FILTERS)
    page = await ask(visit, "events.index", query={**given, "cursor": visit.query["cursor"]})
    data = {"events": page.data, "next": page.next, "query": visit.query, "filtered": bool(given)}
    kinds = [str(kind) for kind in EventType]
    return Show("events", {**data, "standings": STANDINGS, "kinds": kinds})


async def show(visit: Visit) -> Answer:
    event = await ask(visit, "events.show", path=visit.path)
    data = {"event": event, "raw": pretty(event.raw), "lacking": lacking(visit, "events.replay")}
    return Show("event", data)


async def replay(visit: Visit) -> Answer:
    here = f"{ADDRESS}/{visit.path['id']}"
    try:
        done = await ask(visit, "events.replay", path=visit.path, body={"to": visit.form["to"]})
    except Problem as problem:
        if problem.kind.slug != "conflict":
            raise
        return GoTo(here, problem.detail, trouble=True)
    told = " ".join(_tell(one) for one in done.data)
    return GoTo(here, f"Replayed. {told}".strip())


def _tell(one: object) -> str:
    verdict, state = getattr(one, "verdict", None), getattr(one, "state", None)
    said = DONE.get(verdict, f"Its effect: {verdict}.")
    return f"{said} The item is {state}." if state else said


PAGES = (
    Page(ADDRESS, show_all, LISTING),
    Page(f"{ADDRESS}/{{id}}", show, ("read_queueitem",)),
    Page(f"{ADDRESS}/{{id}}/replay", replay, ("manage_channels",), changes=True),
)
