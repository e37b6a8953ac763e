"""From the parameters of a list to what is looked for."""

from datetime import UTC, datetime
from typing import Any

import msgspec

from app.access.caller import Caller
from app.controllers.api.items.query import ListQuery, QueueItemsQuery, SentItemsQuery
from app.controllers.api.masking import require_content
from app.controllers.api.problems import Problem
from app.items.addresses import check_address
from app.items.refusals import Refused
from app.models.queries.browsing.wanted import ALL_DONE, NOT_DONE, Order, Wanted
from app.workflow import State

CONTENT = ("q", "receiver", "message_id")
"""Parameters whose answer tells content."""

SAME = ("method", "origin_type", "origin_id", "tag", "created_by", "message_id")
TIMES = ("queued_from", "queued_until", "finished_from", "finished_until")

ORDERS = {
    "-queued": Order.NEWEST,
    "queued": Order.OLDEST,
    "-finished": Order.LAST_FINISHED,
    "finished": Order.FIRST_FINISHED,
}


def read_wanted(query: ListQuery, caller: Caller) -> Wanted:
    """What is looked for; raises :class:`Problem` where that can't be or may not be asked for."""
    require_content(caller, [name for name in CONTENT if getattr(query, name, None) is not None])
    if query.origin_id is not None and query.origin_type is None:
        raise Problem.invalid({"origin_id": ["Needs `origin_type` as well."]})
    given: dict[str, Any] = {name: getattr(query, name) for name in SAME}
    given |= {name: _moment(name, getattr(query, name, None)) for name in TIMES}
    given |= {"receiver": _address(query.receiver), "text": getattr(query, "q", None)}
    if isinstance(query, QueueItemsQuery):
        return Wanted(**given, **_of_queue(query))
    return Wanted(**given, states=_states(query, ALL_DONE))


def _of_queue(query: QueueItemsQuery) -> dict[str, Any]:
    states = _states(query, NOT_DONE)
    kind = None if query.error_kind is None else str(query.error_kind)
    return {"states": states, "error_kind": kind, "results": states == (State.ERRORED,)}


def _states(query: ListQuery, choices: tuple[State, ...]) -> tuple[State, ...]:
    named: list[str] = getattr(query, "state", [])
    return tuple(state for state in choices if state in named) or choices


def read_order(query: ListQuery) -> Order:
    """What is asked for, or what fits the filters."""
    order: str | None = getattr(query, "order", None)
    by_end = isinstance(query, SentItemsQuery) and (query.finished_from or query.finished_until)
    return ORDERS[order or ("-finished" if by_end else "-queued")]


def describe(wanted: Wanted, order: Order) -> bytes:
    """The same bytes for the same list, to which its cursors are bound."""
    return msgspec.json.encode([order.value, wanted], order="sorted")


def _moment(name: str, given: datetime | None) -> datetime | None:
    try:
        return None if given is None else given.astimezone(UTC)
    except OverflowError:
        raise Problem.invalid({name: ["Is a time that can't be used."]}) from None


def _address(given: str | None) -> str | None:
    """As addresses are kept, with their domain in ASCII."""
    try:
        return check_address(given) if given is not None and "@" in given else given
    except Refused:
        return given
