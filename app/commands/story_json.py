"""An item's story for programs: times in ISO 8601, nothing of the message's body."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, cast
from uuid import UUID

from app.items.next_step import describe_next_step
from app.models.queries.browse import Story
from app.models.statements import Row

ITEM = (
    "id",
    "method",
    "channel",
    "priority",
    "state",
    "error_kind",
    "result",
    "retry_delay",
    "task_id",
    "message_id",
    "attempts",
    "retries",
    "receiver_name",
    "receiver_address",
    "role",
    "sender_name",
    "sender_address",
    "subject",
    "origin_type",
    "origin_id",
    "tags",
    "queued",
    "send_at",
    "expires_at",
    "due_at",
    "accepted_at",
    "finished_at",
    "last_updated",
    "delivered_after_cancel",
    "cloned_from",
)


def story_as_json(story: Story) -> dict[str, Any]:
    return {
        "item": {name: as_json(story.item[name]) for name in ITEM},
        "next_step": describe_next_step(story.item),
        "copies": story.copies,
        "history": rows_as_json(story.history),
        "attempts": rows_as_json(story.attempts),
        "events": rows_as_json(story.events),
        "attachments": rows_as_json(story.attachments),
        "downloads": rows_as_json(story.downloads),
        "dead_letters": rows_as_json(story.letters),
    }


def rows_as_json(rows: Iterable[Row]) -> list[dict[str, Any]]:
    return [
        {name: as_json(value) for name, value in cast("Mapping[str, Any]", row).items()}
        for row in rows
    ]


def as_json(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value) if isinstance(value, UUID) else value
