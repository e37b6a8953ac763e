from collections.abc import Awaitable, Callable
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

    async def clone(self, actor: str = "application", *, confirm: bool = False) -> QueueItem:
        """A new item with the same sender, receiver and content, that waits to be scheduled.

        It names this item in ``cloned_from`` and has no origin. ``confirm`` is needed where the
        receiver may have the message already: this item is unconfirmed, or was cancelled while
        that was unknown. ``schedule_queue_item`` sends it; ``app.items.resend`` does both at once.

        Raises ``app.items.operate.NotApplied`` with the reason, before anything is written.
        """
        return await _ports["clone"](self, actor, confirm)


type Clone = Callable[[SentItem, str, bool], Awaitable[QueueItem]]

_ports: dict[str, Clone] = {}


def use(clone: Clone) -> None:
    """Make ``clone`` the way to copy sent items; called by the provider that wires operating."""
    _ports["clone"] = clone
