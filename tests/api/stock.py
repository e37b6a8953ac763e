"""Items for tests of lists: put in place with everything that they can be found by."""

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from app.models import statements
from app.workflow import DONE
from tests.fakes.items import put_item

START = datetime(2026, 3, 1, 12, tzinfo=UTC)

SEARCHED = (
    "receiver_name",
    "receiver_address",
    "role",
    "origin_type",
    "origin_id",
    "tags",
    "created_by",
    "request_id",
)

FINISHED = "UPDATE queue_items SET finished_at = $2 WHERE id = $1"


def at(minutes: float) -> datetime:
    """A moment, so many minutes after the first."""
    return START + timedelta(minutes=minutes)


async def put(state: str = "queued", minutes: float = 0, **given: Any) -> UUID:
    """An item that was queued then; what is done was so a minute later, unless given."""
    searched = {name: given.pop(name) for name in SEARCHED if name in given}
    message_id = given.get("message_id")
    columns = {"queued": at(minutes), **given}
    if state in DONE:
        columns.setdefault("finished_at", at(minutes + 1))
    item = await put_item(state, **columns)
    if message_id is not None:
        await statements.run(
            "UPDATE attempts SET message_id = $2 WHERE id = $1", item.attempt, message_id
        )
    # Written once by the application; here it is written anew, so that its tags are as well.
    [old] = await statements.run("DELETE FROM item_search WHERE item_id = $1 RETURNING *", item.id)
    row = {
        "item_id": item.id,
        "method": item.method,
        "receiver_address": old["receiver_address"],
        **searched,
        "queued": at(minutes),
    }
    marks = ", ".join(f"${n}" for n in range(1, len(row) + 1))
    await statements.run(
        f"INSERT INTO item_search ({', '.join(row)}) VALUES ({marks})", *row.values()
    )
    return item.id


def some_uuid() -> UUID:
    return uuid.uuid7()
