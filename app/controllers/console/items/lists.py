"""The pages of both lists."""

from app.controllers.console.asking import ask, may_ask
from app.controllers.console.bulk.pages import DEEDS
from app.controllers.console.items import filters
from app.controllers.console.items.counts import count_chips
from app.controllers.console.items.filters import QUEUE, SENT, Listing
from app.controllers.console.items.rows import row_of
from app.controllers.console.page import Answer, Page, Show, Visit
from app.workflow import ErrorKind

MANY = 50
NEEDED = ("list_queueitem",)
OFFERED = {QUEUE: ("retry", "cancel"), SENT: ("resend",)}


async def show_queue(visit: Visit) -> Answer:
    return await show(QUEUE, visit)


async def show_sent(visit: Visit) -> Answer:
    return await show(SENT, visit)


async def show(listing: Listing, visit: Visit) -> Show:
    given = filters.read_filters(listing, visit.query)
    chips = await count_chips(listing, filters.as_struct(listing, given), visit.caller)
    page = await ask(visit, listing.operation, query=given | _extent(visit))
    return Show(
        "items/list",
        {
            "listing": listing,
            "query": visit.query,
            "carried": [(k, v) for k, v in visit.query if k in filters.CARRIED and v],
            "chips": chips,
            "rows": [row_of(item) for item in page.data],
            "next": page.next,
            "filtered": bool(given),
            "deeds": [DEEDS[name] for name in OFFERED[listing] if _may(visit, name)],
            "kinds": [str(kind) for kind in ErrorKind],
        },
    )


def _may(visit: Visit, deed: str) -> bool:
    return may_ask(visit, DEEDS[deed].operation)


def _extent(visit: Visit) -> dict[str, object]:
    seen = visit.caller.may("read_queueitem", "read_content")
    return {
        "limit": MANY,
        "cursor": visit.query["cursor"],
        "expand": ["sms"] if seen else [],
    }


PAGES = (
    Page(QUEUE.address, show_queue, NEEDED),
    Page(SENT.address, show_sent, NEEDED),
)
