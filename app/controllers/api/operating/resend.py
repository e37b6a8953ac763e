"""Sending done messages once more; whoever may do that alone learns nothing but ids."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from app.controllers.api.operating import resend_once
from app.controllers.api.operating.decisions import Confirm, Decide, DryRun
from app.controllers.api.operating.many import Ids, ResultName, named
from app.controllers.api.operation import Answer, Call, Nothing, Operation
from app.controllers.api.problems import Problem
from app.controllers.api.sending.keys import HEADERS
from app.items.operate_verdicts import Refusal, Verdict


class ResendMany(Struct, forbid_unknown_fields=True):
    """Which done items to send once more."""

    ids: Ids
    confirm: Confirm = False
    dry_run: DryRun = False


class Resent(Struct):
    """An item and its copy, by their ids."""

    id: Annotated[UUID, Meta(description="The sent item.")]
    copy_id: Annotated[
        UUID | None, Meta(description="The new queue item; `null` in a dry run, as nothing is sent")
    ]
    dry_run: Annotated[bool, Meta(description="Nothing was sent.")]


class ResendResult(Struct):
    """What came of one item."""

    id: Annotated[UUID, Meta(description="The item that was named.")]
    result: Annotated[
        ResultName,
        Meta(
            description="`done`, or in a dry run: it would be; `missing`: there is no such sent"
            " item; `unknown`: its receiver may have it, and that was not confirmed; `refused`:"
            " `text` says why."
        ),
    ]
    copy_id: Annotated[UUID | None, Meta(description="The new queue item.")]
    text: Annotated[str, Meta(description="Why nothing was sent; else empty.")]


class ResendResults(Struct):
    """A result for each item, in the order in which they were named."""

    data: list[ResendResult]
    dry_run: Annotated[bool, Meta(description="Nothing was sent.")]


async def resend(call: Call[Nothing, Decide]) -> Answer:
    def show(verdicts: list[Verdict]) -> Resent:
        [verdict] = verdicts
        if verdict.refusal is not None:
            raise refusal_of(verdict)
        return Resent(verdict.item_id, verdict.copy_id, call.body.dry_run)

    return await resend_once.resend(call, [call.key()], show)


async def resend_many(call: Call[Nothing, ResendMany]) -> Answer:
    def show(verdicts: list[Verdict]) -> ResendResults:
        return ResendResults([result_of(verdict) for verdict in verdicts], call.body.dry_run)

    return await resend_once.resend(call, call.body.ids, show)


def is_no_sent_item(refusal: Refusal | None) -> bool:
    """An item that isn't done is no sent item: its state is nothing that the caller may know."""
    return refusal in (Refusal.MISSING, Refusal.STATE)


def refusal_of(verdict: Verdict) -> Problem:
    if is_no_sent_item(verdict.refusal):
        return Problem("not-found")
    if verdict.refusal == Refusal.UNKNOWN:
        return Problem("confirmation-needed", verdict.text, item=str(verdict.item_id))
    return Problem("conflict", verdict.text, reason=str(verdict.refusal))


def result_of(verdict: Verdict) -> ResendResult:
    if is_no_sent_item(verdict.refusal):
        return ResendResult(
            verdict.item_id, "missing", None, f"There is no sent item {verdict.item_id}."
        )
    return ResendResult(verdict.item_id, named(verdict.refusal), verdict.copy_id, verdict.text)


ITEM = "019c1f6e-5a51-7a14-8c4e-0d9f3a7b2c11"
COPY = "019c1f72-0b3e-7c55-9d10-5e2a1f0c7b90"

RESEND = (
    "Sends the message of a done item once more, as a new item with the same sender, receiver and"
    " content. `can_resend` alone is enough, so the answer holds nothing but ids. 404 while the"
    " item isn't done. 409 when its attachments were cleaned away (`reason` is `files_gone`), and"
    " without `confirm` when its receiver may have the message although that isn't known. What"
    " the request is refused for is found before anything is written. With an `Idempotency-Key` a"
    " repeated request is answered as the first one was, and sends nothing."
)
RESEND_MANY = (
    "Up to 1,000 items at once, each as by itself: what can't be sent again is no error of the"
    " request but a result of its item."
)

OPERATIONS = (
    Operation(
        method="POST",
        path="/sent-items/{id}/resend",
        name="sent-items.resend",
        tag="Operating",
        summary="Send a done item once more",
        description=RESEND,
        permissions=("can_resend",),
        handler=resend,
        body=Decide,
        body_optional=True,
        answers={200: Resent},
        problems=("conflict", "confirmation-needed", *resend_once.PROBLEMS),
        headers=HEADERS,
        example={"confirm": False, "dry_run": False},
        answer_example={"id": ITEM, "copy_id": COPY, "dry_run": False},
    ),
    Operation(
        method="POST",
        path="/sent-items/resend",
        name="sent-items.resend-many",
        tag="Operating",
        summary="Send many done items once more",
        description=RESEND_MANY,
        permissions=("can_resend",),
        handler=resend_many,
        body=ResendMany,
        answers={200: ResendResults},
        problems=resend_once.PROBLEMS,
        headers=HEADERS,
        example={"ids": [ITEM]},
        answer_example={
            "data": [{"id": ITEM, "result": "done", "copy_id": COPY, "text": ""}],
            "dry_run": False,
        },
    ),
)
