"""Who is this, and what do the statements that write messages have in common?"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import asyncpg
from sqlalchemy.exc import IntegrityError

from app.models import statements
from app.models.statements import Row

PEOPLE = """
SELECT true AS is_sender, id, name, email, cell FROM senders WHERE id = ANY ($1)
UNION ALL
SELECT false, id, name, email, cell FROM receivers WHERE id = ANY ($2)
"""


async def find_people(senders: Sequence[UUID], receivers: Sequence[UUID]) -> Sequence[Row]:
    """The rows of these senders and receivers; those that don't exist are left out."""
    return await statements.run(PEOPLE, list(senders), list(receivers))


class Envelope(NamedTuple):
    """What is the same for all items of one message.

    ``scheduled``: the items may be sent from ``send_at`` on; without it they wait for
    :func:`app.models.queries.schedule.schedule`. ``created_by`` and ``request_id`` say who had the
    message sent by which request of the API.
    """

    priority: str
    send_at: datetime | None
    expires_at: datetime | None
    scheduled: bool
    origin_type: str | None
    origin_id: str | None
    created_by: str | None = None
    request_id: UUID | None = None


ITEM_COLUMNS = """id, method, channel, priority, {message}, queued, send_at, expires_at,
    due_at, dispatched_at, last_updated"""

DUE_AT = "CASE WHEN {scheduled} THEN GREATEST({now}, {send_at}) END"
DISPATCHED_AT = "CASE WHEN {scheduled} AND COALESCE({send_at} <= {now}, true) THEN {now} END"
"""What is due at once is published by the caller; the ticker publishes what comes due later."""

SEARCH_COLUMNS = """item_id, method, receiver_id, receiver_name, receiver_address, role,
    origin_type, origin_id, tags, queued, created_by, request_id"""

WHOLE = """i.*, p.receiver_id, p.name AS receiver_name, p.address AS receiver_address,
    p.role, p.origin_type, p.origin_id, p.tags"""
"""An item as the model shows it: with what ``item_search`` holds about it."""

READ = """
SELECT q.*, s.receiver_id, s.receiver_name, s.receiver_address, s.role,
    s.origin_type, s.origin_id, s.tags
FROM queue_items q JOIN item_search s ON s.item_id = q.id
JOIN unnest($1::uuid[]) WITH ORDINALITY AS w (id, place) ON w.id = q.id ORDER BY w.place
"""


class RowGone(Exception):
    """The message names a sender or receiver whose row doesn't exist any more."""

    def __init__(self, of_sender: bool) -> None:
        super().__init__("sender" if of_sender else "receiver")
        self.of_sender = of_sender


async def write(sql: str, item_ids: Sequence[UUID], *args: Any) -> Sequence[Row]:
    """Run a statement that writes items, and return them in the order of their ids.

    Such a statement writes nothing when it is repeated because its answer was lost; what the
    first run wrote is then read. Raises :class:`RowGone`.
    """
    try:
        rows = await statements.run(sql, *args)
    except (asyncpg.ForeignKeyViolationError, IntegrityError) as error:
        column = named_column(error)
        if column is None:
            raise
        raise RowGone(column == "sender_id") from None
    return rows or await read(item_ids)


async def read(item_ids: Sequence[UUID]) -> Sequence[Row]:
    """Items as writing them returns them, in this order; none that isn't there."""
    return await statements.run(READ, list(item_ids))


def named_column(error: Exception) -> str | None:
    """Which column of ours names the row that isn't there; ``None`` for any other violation."""
    # In a caller's transaction asyncpg's error comes wrapped twice by SQLAlchemy.
    cause = error.orig.__cause__ if isinstance(error, IntegrityError) and error.orig else error
    name = str(getattr(cause, "constraint_name", ""))
    return next((c for c in ("sender_id", "receiver_id") if name.endswith(f"_{c}_fkey")), None)
