"""What each criterion says in SQL, and of which of an item's two rows it says it."""

import re
from collections.abc import Collection
from typing import Any

from app.models.queries.browsing.wanted import Wanted
from app.models.queries.moves import quoted

PERSON = r"lower(s.receiver_name || E'\n' || s.receiver_address)"
"""What the trigram index holds."""

CHANGING = {
    "method": "q.method = {}",
    "error_kind": "q.error_kind = {}",
    "queued_from": "q.queued >= {}",
    "queued_until": "q.queued < {}",
    "finished_from": "q.finished_at >= {}",
    "finished_until": "q.finished_at < {}",
}
"""Of ``queue_items q``; states are added for themselves."""

WRITTEN_ONCE = {
    "receiver": "lower(s.receiver_address) = lower({}::text)",
    "origin_type": "s.origin_type = {}",
    "origin_id": "s.origin_id = {}",
    "created_by": "s.created_by = {}",
    "tag": "s.tags @> ARRAY[{}::text] AND s.tags <> '{{}}'",
}
"""Of ``item_search s``; the text is added for itself."""


class Parameters:
    """The values of a statement, numbered as they are added."""

    def __init__(self) -> None:
        self.values: list[Any] = []

    def add(self, value: Any) -> str:
        """The mark that stands for ``value``, as ``$1``."""
        self.values.append(value)
        return f"${len(self.values)}"


def of_changing(wanted: Wanted, settled: Collection[str], given: Parameters) -> list[str]:
    """What must still be true of an item's row of ``queue_items q``."""
    found = said_by(wanted, CHANGING, settled, given)
    if "states" not in settled:
        found.append(f"q.state IN ({quoted(wanted.states)})")
    return found


def of_written_once(wanted: Wanted, settled: Collection[str], given: Parameters) -> list[str]:
    """What must still be true of an item's row of ``item_search s``.

    A text that is searched in results too is a condition on both rows.
    """
    found = said_by(wanted, WRITTEN_ONCE, settled, given)
    if wanted.text is not None and "text" not in settled:
        mark = pattern(wanted.text, given)
        in_result = f" OR lower(q.result) LIKE {mark}" if wanted.results else ""
        found.append(f"({PERSON} LIKE {mark}{in_result})")
    return found


def said_by(
    wanted: Wanted, table: dict[str, str], settled: Collection[str], given: Parameters
) -> list[str]:
    """The conditions of ``table`` whose criterion is given and not settled."""
    return [
        condition.format(given.add(getattr(wanted, name)))
        for name, condition in table.items()
        if name not in settled and getattr(wanted, name) is not None
    ]


def pattern(text: str, given: Parameters) -> str:
    """A pattern that finds ``text`` anywhere, taken literally."""
    escaped = re.sub(r"([\\%_])", r"\\\1", text)
    return f"lower({given.add(f'%{escaped}%')}::text)"
