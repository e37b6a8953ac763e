"""The controllers of both lists. They only read; ``SEND_QUEUE_CONTROLLER`` and
``SENT_ITEM_CONTROLLER`` can put others in their place.
"""

from app.controllers.api.items.query import ItemQuery, QueueItemsQuery, SentItemsQuery
from app.controllers.api.items.reader import read_item, read_page
from app.controllers.api.operation import Answer, Call, Nothing


class QueueItemController:
    """Items that are not done; one by its id in any state."""

    async def index(self, call: Call[QueueItemsQuery, Nothing]) -> Answer:
        return Answer(await read_page(call.query, call.caller))

    async def show(self, call: Call[ItemQuery, Nothing]) -> Answer:
        return Answer(await read_item(call.key(), call.query.expand, call.caller))


class SentItemController:
    """Items that are done."""

    async def index(self, call: Call[SentItemsQuery, Nothing]) -> Answer:
        return Answer(await read_page(call.query, call.caller))

    async def show(self, call: Call[ItemQuery, Nothing]) -> Answer:
        item = await read_item(call.key(), call.query.expand, call.caller, done_only=True)
        return Answer(item)
