"""What can be seen of the items while they walk."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from app.models import statements

SEEN = """
SELECT q.id, q.method, q.state, s.receiver_address, COALESCE(q.result, '') AS result,
    (SELECT string_agg(h.to_state, ' → ' ORDER BY h.id) FROM item_history h
        WHERE h.item_id = q.id) AS path,
    (SELECT count(*) FROM attempts a WHERE a.item_id = q.id
        AND (a.outcome = 'accepted' OR a.report IS NOT NULL)) AS copies
FROM queue_items q JOIN item_search s ON s.item_id = q.id ORDER BY q.queued, q.id
"""


@dataclass(frozen=True, slots=True)
class Seen:
    id: UUID
    method: str
    receiver: str
    state: str
    path: str
    copies: int


async def look() -> list[Seen]:
    rows = await statements.run(SEEN)
    return [
        Seen(
            row["id"],
            row["method"],
            row["receiver_address"],
            row["state"],
            f"queued → {row['path']}" if row["path"] else "queued",
            row["copies"],
        )
        for row in rows
    ]


def states(seen: Sequence[Seen]) -> dict[str, int]:
    return dict(sorted(Counter(item.state for item in seen).items()))


def lost(seen: Sequence[Seen], expected: dict[UUID, str]) -> int:
    """Items that are missing, or not (yet) in the state that their receiver stands for."""
    found = {item.id: item.state for item in seen}
    return sum(found.get(item) != state for item, state in expected.items())


def duplicated(seen: Sequence[Seen]) -> int:
    """Items that the sandbox took more than once."""
    return sum(item.copies > 1 for item in seen)
