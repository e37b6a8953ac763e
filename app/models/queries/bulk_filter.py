"""Which items does a bulk operation mean?

A condition for each criterion that is given, so that the planner sees only those; the texts are
ours, what was given travels as parameters.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from app.models.queries.moves import quoted
from app.workflow import DONE, State, transition_named


@dataclass(frozen=True, slots=True)
class Filter:
    """What items have in common; what is ``None`` doesn't matter.

    ``receiver`` is a whole address or number, upper and lower case being the same. ``queued_from``
    is included, ``queued_until`` is not. ``created_by`` is the actor who had the item made, as
    ``owner/token``.
    """

    state: str | None = None
    method: str | None = None
    error_kind: str | None = None
    queued_from: datetime | None = None
    queued_until: datetime | None = None
    receiver: str | None = None
    origin_type: str | None = None
    origin_id: str | None = None
    tag: str | None = None
    created_by: str | None = None

    def as_json(self) -> dict[str, str]:
        """What is given, as it is stored."""
        given: Mapping[str, Any] = asdict(self)
        return {
            name: value.isoformat() if isinstance(value, datetime) else str(value)
            for name, value in given.items()
            if value is not None
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, str]) -> Filter:
        times = {
            name: datetime.fromisoformat(stored[name])
            for name in ("queued_from", "queued_until")
            if name in stored
        }
        return cls(**{**stored, **times})  # pyright: ignore[reportArgumentType]


CONDITIONS = {
    "method": "s.method = {0}",
    "error_kind": "q.error_kind = {0}",
    "queued_from": "s.queued >= {0}",
    "queued_until": "s.queued < {0}",
    "receiver": "lower(s.receiver_address) = lower({0})",
    "origin_type": "s.origin_type = {0}",
    "origin_id": "s.origin_id = {0}",
    "tag": "{0} = ANY (s.tags)",
    "created_by": "s.created_by = {0}",
}

FROM = "queue_items q JOIN item_search s ON s.item_id = q.id"


def states_for(action: str) -> tuple[str, ...]:
    """The states of items that an action can be applied to."""
    return tuple(sorted(DONE)) if action == "resend" else transition_named(action).sources


def conditions(action: str, wanted: Filter, first: int) -> tuple[str, list[Any]]:
    """SQL for the items that are meant, and its parameters, which count from ``$first``."""
    # A literal, so that the planner knows of the partial indexes also in a generic plan.
    states = [State(wanted.state)] if wanted.state else states_for(action)
    parts = [f"q.state IN ({quoted(states)})"]
    values: list[Any] = []
    for name, condition in CONDITIONS.items():
        value = getattr(wanted, name)
        if value is not None:
            parts.append(condition.format(f"${first + len(values)}"))
            values.append(value)
    return " AND ".join(parts), values
