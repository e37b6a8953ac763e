"""Reading queue items and sent items, as rows of the API's table."""

from app.configuration.kinds_of_controllers import SEND_QUEUE, SENT_ITEMS
from app.controllers.api.items.examples import DONE_ITEM, ITEM, ITEM_PAGE, SENT_PAGE
from app.controllers.api.items.query import ItemQuery, QueueItemsQuery, SentItemsQuery
from app.controllers.api.items.replaceable import index_of, show_of
from app.controllers.api.items.schemas import Item, ItemPage
from app.controllers.api.operation import Operation

PAGES = """

Pages follow each other by `next`, which is taken as `cursor` with the same filters and the same
order. What is queued or moves meanwhile neither repeats nor hides the others. A page with a `next`
may hold fewer items than `limit`, even none. `count=true` adds how many items there are, up to
10,000: where `capped` is true there are at least as many.

Without `read_content` subjects, names, addresses and what providers said are `null`, `masked` is
true, and `q`, `receiver` and `message_id` are refused."""

FIRST = "/data/0/id"

OPERATIONS = (
    Operation(
        method="GET",
        path="/queue-items",
        name="queue-items.list",
        tag="Items",
        summary="Items that are not done",
        description=f"One message to one receiver each, the newest first.{PAGES}",
        permissions=("list_queueitem",),
        handler=index_of(SEND_QUEUE),
        query=QueueItemsQuery,
        answers={200: ItemPage},
        answer_example=ITEM_PAGE,
        leads_to={FIRST: ("queue-items.show", "queue-items.retry", "queue-items.transition")},
    ),
    Operation(
        method="GET",
        path="/queue-items/{id}",
        name="queue-items.show",
        tag="Items",
        summary="One item, in any state",
        description="Also one that is done. Without `read_content` its content is `null`.",
        permissions=("read_queueitem",),
        handler=show_of(SEND_QUEUE),
        query=ItemQuery,
        answers={200: Item},
        answer_example=ITEM,
    ),
    Operation(
        method="GET",
        path="/sent-items",
        name="sent-items.list",
        tag="Items",
        summary="Items that are done",
        description=f"Succeeded, unconfirmed and cancelled, the newest first.{PAGES}",
        permissions=("list_queueitem",),
        handler=index_of(SENT_ITEMS),
        query=SentItemsQuery,
        answers={200: ItemPage},
        answer_example=SENT_PAGE,
        leads_to={FIRST: ("sent-items.show", "sent-items.resend")},
    ),
    Operation(
        method="GET",
        path="/sent-items/{id}",
        name="sent-items.show",
        tag="Items",
        summary="One item that is done",
        description="404 for an item that is not done: `/api/queue-items/{id}` shows it.",
        permissions=("read_queueitem",),
        handler=show_of(SENT_ITEMS),
        query=ItemQuery,
        answers={200: Item},
        answer_example=DONE_ITEM,
    ),
)
