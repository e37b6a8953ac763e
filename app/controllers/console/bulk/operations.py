"""Operations that were begun: how far they are, and what came of each item."""

from app.controllers.console.asking import ask
from app.controllers.console.bulk.meant import describe
from app.controllers.console.bulk.pages import DEEDS
from app.controllers.console.page import Answer, GoTo, Page, Show, Visit

NEEDED = ("list_queueitem",)
RESULTS = ("done", "refused", "unknown")


async def show_all(visit: Visit) -> Answer:
    page = await ask(visit, "operations.index", query={"cursor": visit.query["cursor"]})
    told = {one.id: describe(one.filter or {"all": True}) for one in page.data}
    data = {"operations": page.data, "next": page.next, "told": told, "deeds": DEEDS}
    return Show("bulk/operations", {**data, "query": visit.query})


async def show(visit: Visit) -> Answer:
    operation = await ask(visit, "operations.show", path=visit.path)
    chosen = visit.query["result"] if visit.query["result"] in RESULTS else ""
    asked = {"result": chosen, "cursor": visit.query["cursor"], "limit": 100}
    page = await ask(visit, "operations.results", path=visit.path, query=asked)
    return Show(
        "bulk/operation",
        {
            "operation": operation,
            "deed": DEEDS[operation.action],
            "told": describe(operation.filter or {"all": True}),
            "worked": operation.done + operation.refused + operation.unknown + operation.changed,
            "results": page.data,
            "next": page.next,
            "chosen": chosen,
            "choices": RESULTS,
            "query": visit.query,
        },
    )


async def stop(visit: Visit) -> Answer:
    await ask(visit, "operations.cancel", path=visit.path)
    return GoTo(f"/console/operations/{visit.path['id']}", "It stops; what is done stays done.")


PAGES = (
    Page("/console/operations", show_all, NEEDED),
    Page("/console/operations/{id}", show, NEEDED),
    Page("/console/operations/{id}/stop", stop, NEEDED, changes=True),
)
