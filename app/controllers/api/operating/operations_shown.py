"""Stored operations as callers begin, list and read them."""

from datetime import datetime
from typing import Annotated, Any, Literal, cast
from uuid import UUID

from msgspec import Meta, Struct

from app.access.caller import Caller
from app.controllers.api.operating.cursors import Cursor, Limit, Next
from app.controllers.api.operating.decisions import Confirm, DryRun
from app.controllers.api.operating.filters import OperationFilter, shown
from app.models.bulk_operation import BulkOperation
from app.models.queries.bulk import Count

type ActionName = Literal["retry", "cancel", "resend"]
type StateName = Literal["running", "finished", "cancelled"]
type Outcome = Literal["done", "refused", "unknown"]


class OperationWanted(Struct, forbid_unknown_fields=True):
    """What to do, and with which items."""

    action: Annotated[ActionName, Meta(description="What to do with each of them.")]
    filter: Annotated[OperationFilter, Meta(description="Which items are meant.")]
    confirm: Confirm = False
    dry_run: DryRun = False


class OperationCount(Struct):
    """How many items an operation would concern if it began now."""

    action: ActionName
    matching: Annotated[int, Meta(description="Items that match; counted up to 100,000.")]
    more: Annotated[bool, Meta(description="There are more than were counted.")]
    unknown: Annotated[int, Meta(description="Of these, may have been sent: they need `confirm`.")]
    refused: Annotated[int, Meta(description="Of these, have lost their attachments.")]
    applicable: Annotated[int, Meta(description="To how many it would be applied.")]


class StoredOperation(Struct):
    """An operation, and how far it is."""

    id: UUID
    action: ActionName
    actor: Annotated[str, Meta(description="Who began it.")]
    request_id: Annotated[UUID | None, Meta(description="The request that began it.")]
    filter: Annotated[dict[str, str], Meta(description="Empty where all items were meant.")]
    confirm: Annotated[bool, Meta(description="Also what may have been sent.")]
    state: StateName
    total: Annotated[int, Meta(description="Items that matched when it began.")]
    more: Annotated[bool, Meta(description="There were more than `total`.")]
    done: Annotated[int, Meta(description="Items that it was applied to.")]
    refused: Annotated[int, Meta(description="Items that refused it; the results say why.")]
    unknown: Annotated[int, Meta(description="Skipped: may have been sent, and not confirmed.")]
    changed: Annotated[
        int, Meta(description="Had changed by themselves before their turn; known in the end.")
    ]
    created: datetime
    last_updated: datetime
    finished_at: datetime | None
    cancelled_by: Annotated[str | None, Meta(description="Who stopped it.")]


class OperationQuery(Struct, forbid_unknown_fields=True):
    limit: Limit = 50
    cursor: Cursor | None = None


class OperationPage(Struct):
    """Some of the operations, and where the next ones are."""

    data: list[StoredOperation]
    next: Next


class OperationResultsQuery(Struct, forbid_unknown_fields=True):
    limit: Limit = 50
    cursor: Cursor | None = None
    result: Annotated[Outcome, Meta(description="Only items with this result.")] | None = None


class OperationResult(Struct):
    """What came of one item."""

    id: Annotated[UUID, Meta(description="The queue item.")]
    result: Annotated[
        str, Meta(description="`done`, `refused`, or `unknown`: it may have been sent.")
    ]
    state: Annotated[str, Meta(description="What the item was then.")]
    text: Annotated[str, Meta(description="Why nothing was done; else empty.")]
    copy_id: Annotated[UUID | None, Meta(description="The new item, where it was sent again.")]


class OperationResults(Struct):
    """Some of the results, and where the next ones are."""

    data: list[OperationResult]
    next: Next


def show(operation: BulkOperation, caller: Caller) -> StoredOperation:
    return StoredOperation(
        id=operation.id,
        action=cast("ActionName", operation.action),
        actor=operation.actor,
        request_id=operation.request_id,
        filter=shown(operation.filter, caller),
        confirm=operation.confirm,
        state=cast("StateName", operation.state),
        total=operation.total,
        more=operation.more,
        done=operation.done,
        refused=operation.refused,
        unknown=operation.unknown,
        changed=operation.changed,
        created=operation.created,
        last_updated=operation.last_updated,
        finished_at=operation.finished_at,
        cancelled_by=operation.cancelled_by,
    )


def show_count(action: ActionName, count: Count, *, confirm: bool) -> OperationCount:
    return OperationCount(
        action,
        count.matching,
        count.more,
        count.unknown,
        count.refused,
        count.applicable(confirm=confirm),
    )


OPERATION_EXAMPLE: dict[str, Any] = {
    "id": "019c1f80-77b1-7f0e-9a55-41c2d3e4f501",
    "action": "retry",
    "actor": "anna/console",
    "request_id": "019c1f80-77b1-7f0e-9a55-41c2d3e4f501",
    "filter": {"error_kind": "retries_exhausted"},
    "confirm": False,
    "state": "running",
    "total": 25000,
    "more": False,
    "done": 12500,
    "refused": 0,
    "unknown": 0,
    "changed": 0,
    "created": "2026-05-01T09:00:00Z",
    "last_updated": "2026-05-01T09:00:21Z",
    "finished_at": None,
    "cancelled_by": None,
}

RESULT_EXAMPLE = {
    "id": "019c1f6e-5a51-7a14-8c4e-0d9f3a7b2c11",
    "result": "done",
    "state": "queued",
    "text": "",
    "copy_id": None,
}
