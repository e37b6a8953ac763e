"""One decision about all items that match a filter: stored, worked off in the background."""

from uuid import UUID, uuid5

from app.access.permissions import OPERATING
from app.controllers.api.operating import cursors
from app.controllers.api.operating.filters import read_filter
from app.controllers.api.operating.operations_shown import (
    OPERATION_EXAMPLE,
    RESULT_EXAMPLE,
    OperationCount,
    OperationPage,
    OperationQuery,
    OperationResult,
    OperationResults,
    OperationResultsQuery,
    OperationWanted,
    StoredOperation,
    show,
    show_count,
)
from app.controllers.api.operating.resend_once import require_unbound
from app.controllers.api.operation import Answer, Call, Nothing, Operation
from app.controllers.api.problems import Problem
from app.controllers.api.sending.keys import Key, read_key
from app.controllers.api.serve import require
from app.items import bulk_operations
from app.items.bulk_operations import FIRST, InvalidFilter
from app.models.bulk_operation import BulkOperation
from app.models.queries.bulk_filter import Filter

NEEDED = {
    "retry": (*OPERATING, "can_retry"),
    "cancel": (*OPERATING, "can_cancel"),
    "resend": ("list_queueitem", "can_resend"),
}
"""What an operation needs; one that resends tells how many items match, and so needs to list."""

NAMESPACE = UUID("5f0ad4c6-6a0f-5b43-8f6e-3a8a7f1f6d2e")
NO_KEY = (
    "Name a key of your choosing, a new one for each operation: without it a repeated request"
    " would send everything once more."
)


async def start(call: Call[Nothing, OperationWanted]) -> Answer:
    wanted = call.body
    require(call.caller, *NEEDED[wanted.action])
    if wanted.action == "resend":
        require_unbound(call.caller)
    criteria = read_filter(wanted.filter, call.caller)
    key = read_key(call.request, call.caller.user_id, "")
    try:
        if wanted.dry_run:
            counted = await bulk_operations.count(wanted.action, criteria)
            return Answer(show_count(wanted.action, counted, confirm=wanted.confirm))
        operation = await begin(call, criteria, key)
    except InvalidFilter as refusal:
        raise Problem.invalid({"filter": [str(refusal)]}) from None
    return Answer(show(operation, call.caller), 202, {"location": address(operation.id)})


async def begin(
    call: Call[Nothing, OperationWanted], criteria: Filter, key: Key | None
) -> BulkOperation:
    if key is None and call.body.action == "resend":
        raise Problem.invalid({"Idempotency-Key": [NO_KEY]})
    own_id = call.request_id if key is None else uuid5(NAMESPACE, f"{key.owner}/{key.text}")
    try:
        operation = await bulk_operations.start(
            call.body.action,
            criteria,
            call.caller.actor,
            confirm=call.body.confirm,
            operation_id=own_id,
            request_id=call.request_id,
        )
    except InvalidFilter:
        raise
    except ValueError:
        raise Problem("key-reused") from None
    if key is not None and operation.id != own_id:
        raise already_running(operation.id)
    return operation


def already_running(operation_id: UUID) -> Problem:
    """The key is not taken by this, so the request may be repeated once the other one is over."""
    return Problem(
        "conflict",
        "The same operation runs already, begun by another request.",
        headers={"location": address(operation_id)},
        reason="already_running",
        state="running",
        operation=str(operation_id),
    )


def address(operation_id: UUID) -> str:
    return f"/api/operations/{operation_id}"


async def list_all(call: Call[OperationQuery, Nothing]) -> Answer:
    limit = call.query.limit
    before = cursors.read_time(call.query.cursor)
    found = await bulk_operations.list_operations(before, limit + 1)
    page, more = cursors.cut(found, limit)
    following = cursors.of_time(page[-1].created, page[-1].id) if more else None
    return Answer(OperationPage([show(one, call.caller) for one in page], following))


async def show_one(call: Call[Nothing, Nothing]) -> Answer:
    return Answer(show(await find(call.key()), call.caller))


async def list_results(call: Call[OperationResultsQuery, Nothing]) -> Answer:
    operation = await find(call.key())
    limit = call.query.limit
    found = await bulk_operations.list_results(
        operation.id,
        after=cursors.read_id(call.query.cursor) or FIRST,
        result=call.query.result,
        limit=limit + 1,
    )
    page, more = cursors.cut(found, limit)
    following = cursors.of_id(page[-1].item_id) if more else None
    shown = [OperationResult(r.item_id, r.result, r.state, r.text, r.copy_id) for r in page]
    return Answer(OperationResults(shown, following))


async def stop(call: Call[Nothing, Nothing]) -> Answer:
    operation = await find(call.key())
    require(call.caller, *NEEDED[operation.action])
    stopped = await bulk_operations.stop(operation.id, call.caller.actor)
    operation = await find(operation.id)
    if not stopped:
        text = "The operation is over already."
        raise Problem("conflict", text, reason="over", state=operation.state)
    return Answer(show(operation, call.caller))


async def find(operation_id: UUID) -> BulkOperation:
    operation = await bulk_operations.find(operation_id)
    if operation is None:
        raise Problem("not-found")
    return operation


START = (
    "Retries, cancels or resends all items that match the filter when this is asked for and don't"
    " change before their turn comes. It is worked off in the background, also when this server"
    " stops: `Location` says where to look. What may have been sent is skipped unless `confirm`."
    ' An empty filter is refused: all items are meant by `{"all": true}`.\n\n'
    "Retry and cancel need `list_queueitem`, `read_queueitem`, `read_workflow` and `can_retry` or"
    " `can_cancel`; resend needs `list_queueitem` and `can_resend`, and a token without bounds and"
    " caps. A filter by receiver needs"
    " `read_content`.\n\n"
    "The same `Idempotency-Key` is the same operation, however often it is sent, as long as the"
    " operation is kept; with another action, filter or `confirm` it is refused (422). Resend needs"
    " a key, because a second operation would send everything once more. Without a key an"
    " operation that does the same and still runs is answered instead of a new one; with a key 409"
    " names it.\n\n"
    "`dry_run` answers 200 with how many items are meant, and changes nothing."
)

OPERATIONS = (
    Operation(
        method="POST",
        path="/operations",
        name="operations.start",
        tag="Operations",
        summary="Retry, cancel or resend all items that match",
        description=START,
        permissions=("list_queueitem",),
        handler=start,
        body=OperationWanted,
        answers={202: StoredOperation, 200: OperationCount},
        problems=("conflict", "key-reused", "out-of-bounds"),
        headers={"Idempotency-Key": "Any text of yours with up to 255 characters; resend needs it"},
        example={"action": "retry", "filter": {"error_kind": "retries_exhausted"}},
        answer_example=OPERATION_EXAMPLE,
    ),
    Operation(
        method="GET",
        path="/operations",
        name="operations.index",
        tag="Operations",
        summary="All operations, the newest first",
        description="Operations that ended long ago are pruned, as history is.",
        permissions=("list_queueitem",),
        handler=list_all,
        query=OperationQuery,
        answers={200: OperationPage},
        answer_example={"data": [OPERATION_EXAMPLE], "next": None},
    ),
    Operation(
        method="GET",
        path="/operations/{id}",
        name="operations.show",
        tag="Operations",
        summary="How far an operation is",
        description="Without `read_content` the receiver in its filter is hidden.",
        permissions=("list_queueitem",),
        handler=show_one,
        answers={200: StoredOperation},
        answer_example=OPERATION_EXAMPLE,
    ),
    Operation(
        method="GET",
        path="/operations/{id}/results",
        name="operations.results",
        tag="Operations",
        summary="What came of each item so far",
        description="In the order of the items' ids, in which they are worked off.",
        permissions=("list_queueitem",),
        handler=list_results,
        query=OperationResultsQuery,
        answers={200: OperationResults},
        answer_example={"data": [RESULT_EXAMPLE], "next": None},
    ),
    Operation(
        method="POST",
        path="/operations/{id}/cancel",
        name="operations.cancel",
        tag="Operations",
        summary="Stop an operation",
        description=(
            "Ends it after the items that are being worked on; what is done stays done. Needs what"
            " beginning it needs. 409 when it is over already."
        ),
        permissions=("list_queueitem",),
        handler=stop,
        answers={200: StoredOperation},
        problems=("conflict",),
        answer_example={**OPERATION_EXAMPLE, "state": "cancelled", "cancelled_by": "anna/console"},
    ),
)
