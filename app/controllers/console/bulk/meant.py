"""Which items are meant by "all that match": a list's filters, as an operation understands them."""

from collections.abc import Mapping

from app.controllers.console.forms import Form
from app.controllers.console.moments import read_moment

SAME = ("method", "error_kind", "receiver", "origin_type", "origin_id", "tag", "created_by")
TIMES = ("queued_from", "queued_until")
BEYOND = {
    "q": "a part of a name or address (give the whole address)",
    "message_id": "the id of a provider",
    "finished_from": "the time of finishing",
    "finished_until": "the time of finishing",
}
"""Filters that operations have not."""


def find_beyond(asked: Form) -> str:
    """Why these filters can't be applied to all at once; empty where they can."""
    found = [words for name, words in BEYOND.items() if asked[name].strip()]
    if len(asked.all("state")) > 1:
        found.append("several states (choose one)")
    return (
        f"All that match can't be chosen by {' and '.join(dict.fromkeys(found))}." if found else ""
    )


def read_criteria(asked: Form) -> Mapping[str, object]:
    """The filter of the operation; raises :class:`Problem`."""
    given: dict[str, object] = dict(asked.filled(*SAME))
    given |= {name: moment for name in TIMES if (moment := read_moment(asked, name))}
    if state := asked["state"]:
        given["state"] = state
    return given or {"all": True}


def describe(criteria: Mapping[str, object]) -> str:
    """The same in words."""
    if "all" in criteria:
        return "all items that it can be applied to"
    told = [f"{name.replace('_', ' ')} {value}" for name, value in criteria.items()]
    return f"items with {', '.join(told)}"
