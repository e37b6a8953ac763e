"""An item's row as the API shows it."""

from uuid import UUID

from app.controllers.api.items.schemas import Item, ItemLinks, Origin
from app.items.error_texts import describe_error
from app.items.next_step import describe_next_step
from app.models.statements import Row
from app.workflow import DONE, ErrorKind, State

SAME = (
    "id",
    "method",
    "channel",
    "priority",
    "result",
    "retries",
    "retry_delay",
    "copies",
    "may_have_been_sent",
    "delivered_after_cancel",
    "cloned_from",
    "message_id",
    "subject",
    "receiver_name",
    "receiver_address",
    "role",
    "tags",
    "created_by",
    "request_id",
    "queued",
    "send_at",
    "expires_at",
    "due_at",
    "accepted_at",
    "finished_at",
    "last_updated",
)


def render(row: Row, *, with_content: bool) -> Item:
    """``with_content``: also what can't be masked afterwards, because it is part of a sentence."""
    state = State(row["state"])
    kind = None if row["error_kind"] is None else ErrorKind(row["error_kind"])
    return Item(
        **{name: row[name] for name in SAME},
        state=state,
        done=state in DONE,
        error_kind=kind,
        error=None if kind is None else describe_error(kind),
        next_step=describe_next_step(row, with_reason=with_content),
        attempt_count=row["attempts"],
        origin=Origin(row["origin_type"], row["origin_id"]) if row["origin_type"] else None,
        links=_links(row["id"], state, row["cloned_from"]),
    )


def _links(key: UUID, state: State, original: UUID | None) -> ItemLinks:
    return ItemLinks(
        self=f"/api/queue-items/{key}",
        sent_item=f"/api/sent-items/{key}" if state in DONE else None,
        cloned_from=f"/api/queue-items/{original}" if original else None,
    )
