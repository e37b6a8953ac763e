"""Retry and cancel of many items by their ids, with a result for each."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from msgspec import Meta, Struct

from app.access.permissions import OPERATING
from app.controllers.api.operating.decisions import Confirm, DryRun, decision_of
from app.controllers.api.operation import Answer, Call, Nothing, Operation
from app.items.bulk import MOST, decide_all
from app.items.operate_verdicts import Refusal, Verdict

type Ids = Annotated[
    list[UUID],
    Meta(
        min_length=1,
        max_length=MOST,
        description="Items; one that is named twice is worked off and answered once.",
    ),
]

type ResultName = Literal["done", "missing", "unknown", "refused"]

RESULT = (
    "`done` (in a dry run: it would be); `missing`: there is no such item; `unknown`: it may have"
    " been sent, and that was not confirmed; `refused`: `text` says why."
)


class DecideMany(Struct, forbid_unknown_fields=True):
    """One decision about many items."""

    ids: Ids
    confirm: Confirm = False
    dry_run: DryRun = False


class ItemResult(Struct):
    """What came of one item."""

    id: Annotated[UUID, Meta(description="The queue item.")]
    result: Annotated[ResultName, Meta(description=RESULT)]
    state: Annotated[str | None, Meta(description="What the item is now, or would be.")]
    text: Annotated[str, Meta(description="Why nothing was done; else empty.")]
    history_id: Annotated[int | None, Meta(description="The line of history that this caused.")]
    try_again_at: Annotated[
        datetime | None, Meta(description="When an item that is being sent will be something else.")
    ]


class ItemResults(Struct):
    """A result for each item, in the order in which they were named."""

    data: list[ItemResult]
    dry_run: Annotated[bool, Meta(description="Nothing was changed.")]


async def retry(call: Call[Nothing, DecideMany]) -> Answer:
    return await decide("retry", call)


async def cancel(call: Call[Nothing, DecideMany]) -> Answer:
    return await decide("cancel", call)


async def decide(action: str, call: Call[Nothing, DecideMany]) -> Answer:
    verdicts = await decide_all(action, call.body.ids, decision_of(call))
    return Answer(ItemResults([result_of(verdict) for verdict in verdicts], call.body.dry_run))


def result_of(verdict: Verdict) -> ItemResult:
    state = None if verdict.state is None else str(verdict.state)
    return ItemResult(
        verdict.item_id,
        named(verdict.refusal),
        state,
        verdict.text,
        verdict.history_id,
        verdict.try_again_at,
    )


def named(refusal: Refusal | None) -> ResultName:
    match refusal:
        case None:
            return "done"
        case Refusal.MISSING:
            return "missing"
        case Refusal.UNKNOWN:
            return "unknown"
        case _:
            return "refused"


DESCRIPTION = (
    "Up to 1,000 items at once, each as by itself: what can't be done is no error of the request"
    " but a result of its item. Repeating the request does nothing twice, because what was done"
    " then has another state. For more items use `POST /api/operations`."
)

ITEM = "019c1f6e-5a51-7a14-8c4e-0d9f3a7b2c11"
OTHER = "019c1f6e-5a51-7a14-8c4e-0d9f3a7b2c12"
EXAMPLE = {"ids": [ITEM, OTHER], "confirm": False}


def _answered(state: str) -> dict[str, Any]:
    done = {
        "id": ITEM,
        "result": "done",
        "state": state,
        "text": "",
        "history_id": 48211,
        "try_again_at": None,
    }
    missing = {
        "id": OTHER,
        "result": "missing",
        "state": None,
        "text": f"There is no queue item {OTHER}.",
        "history_id": None,
        "try_again_at": None,
    }
    return {"data": [done, missing], "dry_run": False}


OPERATIONS = (
    Operation(
        method="POST",
        path="/queue-items/retry",
        name="queue-items.retry-many",
        tag="Operating",
        summary="Retry many items",
        description=DESCRIPTION,
        permissions=(*OPERATING, "can_retry"),
        handler=retry,
        body=DecideMany,
        answers={200: ItemResults},
        example=EXAMPLE,
        answer_example=_answered("queued"),
    ),
    Operation(
        method="POST",
        path="/queue-items/cancel",
        name="queue-items.cancel-many",
        tag="Operating",
        summary="Cancel many items",
        description=DESCRIPTION,
        permissions=(*OPERATING, "can_cancel"),
        handler=cancel,
        body=DecideMany,
        answers={200: ItemResults},
        example=EXAMPLE,
        answer_example=_answered("cancelled"),
    ),
)
