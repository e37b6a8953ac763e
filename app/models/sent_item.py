from typing import Any, ClassVar

from arvel.database import Builder

from app.models.queue_item import QueueItem
from app.workflow import DONE


def only_done(builder: Builder[Any]) -> None:
    builder.where_in("state", sorted(DONE))


class SentItem(QueueItem):
    """A queue item in a done state: cancelled, succeeded or unconfirmed."""

    __view__ = "queue_items"
    __global_scopes__: ClassVar[dict[str, Any]] = {
        **QueueItem.__global_scopes__,
        "done": only_done,
    }
