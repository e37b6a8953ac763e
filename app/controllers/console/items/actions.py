"""What somebody may do with an item now, and why the rest can't be done."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.controllers.api.problems import Problem
from app.controllers.console.asking import lacking, try_asking
from app.controllers.console.page import Visit


@dataclass(frozen=True, slots=True)
class Action:
    """Something that an operator does with one item.

    ``asks_first``: it can't be taken back, so that a page stands between. ``key`` is pressed for
    it.
    """

    name: str
    title: str
    operation: str
    done: str
    means: str
    key: str = ""
    asks_first: bool = True


ACTIONS: Mapping[str, Action] = {
    action.name: action
    for action in (
        Action(
            "retry",
            "Retry",
            "queue-items.retry",
            "It is queued again.",
            "It is queued again, with a fresh budget of retries.",
            "r",
            asks_first=False,
        ),
        Action(
            "cancel",
            "Cancel",
            "queue-items.cancel",
            "It is cancelled.",
            "It is given up for good: nothing more is sent of it.",
            "c",
        ),
        Action(
            "resend",
            "Send again",
            "sent-items.resend",
            "This is the copy; it is queued.",
            "The same message is sent to the same receiver once more, as a new item.",
        ),
    )
}
NOT_DONE = "Only what is done can be sent again; retry it instead."
UNKNOWN = "confirmation-needed"


@dataclass(frozen=True, slots=True)
class Offer:
    """An action as it stands with one item: ``why_not`` is empty where it can be done."""

    action: Action
    why_not: str = ""
    doubt: str = ""

    @property
    def asks_first(self) -> bool:
        return self.action.asks_first or bool(self.doubt)


async def offers_for(visit: Visit, item: Any) -> list[Offer]:
    return [await offer(visit, action, item) for action in ACTIONS.values()]


async def offer(visit: Visit, action: Action, item: Any) -> Offer:
    """What a dry run says of it."""
    if missing := lacking(visit, action.operation):
        return Offer(action, f"This needs {' and '.join(missing)}.")
    if action.name == "resend" and not item.done:
        return Offer(action, NOT_DONE)
    body = {"dry_run": True}
    tried = await try_asking(visit, action.operation, path={"id": str(item.id)}, body=body)
    if not isinstance(tried, Problem):
        return Offer(action)
    if tried.kind.slug == UNKNOWN:
        return Offer(action, doubt=tried.detail)
    return Offer(action, tried.detail)
