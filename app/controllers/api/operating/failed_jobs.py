"""Dead letters: jobs that were given up. What a letter carries is never shown."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from arvel.kernel import app
from msgspec import Meta, Struct

from app.controllers.api.masking import CONTENT, mask
from app.controllers.api.operating import cursors
from app.controllers.api.operating.cursors import Cursor, Limit, Next
from app.controllers.api.operating.decisions import Confirm, conflict
from app.controllers.api.operation import Answer, Call, Nothing, Operation
from app.controllers.api.problems import Problem
from app.items.operate import NotApplied
from app.items.operate_verdicts import Refusal
from app.models.queries import dead_letters as queries
from app.models.queries.operate import Decision
from app.models.statements import Row
from app.worker.letters import LetterGone, LetterRefused, LetterUndelivered
from app.worker.queue import Queue

NEEDED = ("manage_failed_jobs",)


class FailedJobQuery(Struct, forbid_unknown_fields=True):
    limit: Limit = 50
    cursor: Cursor | None = None


class FailedJobShown(Struct):
    """A job that was given up."""

    id: UUID
    job: Annotated[str, Meta(description="The class of the job.")]
    queue: str
    item_id: Annotated[UUID | None, Meta(description="The queue item that it is about.")]
    attempt_id: Annotated[UUID | None, Meta(description="The attempt that it is about.")]
    failed_at: datetime
    text: Annotated[str | None, CONTENT, Meta(description="Why.")]
    masked: Annotated[
        bool, Meta(description="Whether content was left out, because `read_content` is missing.")
    ] = False


class FailedJobPage(Struct):
    """Some of the dead letters, and where the next ones are."""

    data: list[FailedJobShown]
    next: Next


class RetryLetter(Struct, forbid_unknown_fields=True):
    """How a retry is meant. No body at all means without confirmation."""

    confirm: Confirm = False


class LetterRetried(Struct):
    """A dead letter that is no more."""

    id: Annotated[UUID, Meta(description="The dead letter that was.")]
    item_id: Annotated[UUID | None, Meta(description="The item that was retried, if it is of one.")]
    state: Annotated[str | None, Meta(description="What the item is now.")]
    history_id: Annotated[int | None, Meta(description="The line of history that this caused.")]


async def list_all(call: Call[FailedJobQuery, Nothing]) -> Answer:
    limit = call.query.limit
    found = await queries.list_letters(cursors.read_time(call.query.cursor), limit + 1)
    page, more = cursors.cut(found, limit)
    following = cursors.of_time(page[-1]["failed_at"], page[-1]["id"]) if more else None
    return Answer(mask(call.caller, FailedJobPage([show(row) for row in page], following)))


async def show_one(call: Call[Nothing, Nothing]) -> Answer:
    row = await queries.show(call.key())
    if row is None:
        raise Problem("not-found")
    return Answer(mask(call.caller, show(row)))


def show(row: Row) -> FailedJobShown:
    return FailedJobShown(
        row["id"],
        str(row["job"]).rpartition(":")[2],
        row["queue"],
        row["item_id"],
        row["attempt_id"],
        row["failed_at"],
        row["exception"],
    )


async def retry(call: Call[Nothing, RetryLetter]) -> Answer:
    queue: Queue = app().make("queue")
    key = call.key()
    decision = Decision(call.caller.actor, call.body.confirm, key=call.request_id)
    try:
        applied = await queue.letters.decide(key, decision)
    except LetterRefused as refused:
        raise problem_of(refused) from None
    if applied is None:
        return Answer(LetterRetried(key, None, None, None))
    return Answer(LetterRetried(key, applied.item_id, applied.state, applied.history_id))


def problem_of(refused: LetterRefused) -> Problem:
    if isinstance(refused, LetterGone):
        return Problem("not-found", str(refused))
    if isinstance(refused, LetterUndelivered):
        return Problem("unavailable", str(refused), headers={"retry-after": "5"})
    if refused.because is None:
        return Problem("conflict", str(refused), reason="refused")
    return refusal_of(refused.because, refused.item_id)


def refusal_of(refusal: NotApplied, item_id: UUID | None) -> Problem:
    text = f"The item {item_id} is not retried. {refusal}"
    if refusal.refusal == Refusal.UNKNOWN:
        return Problem("confirmation-needed", text, item=str(item_id), state=refusal.state)
    return conflict(str(refusal.refusal), text, refusal.state, refusal.try_again_at)


async def discard(call: Call[Nothing, Nothing]) -> Answer:
    if not await queries.discard(call.key(), call.caller.actor, call.request_id):
        raise Problem("not-found")
    return Answer(status=204)


LETTER = {
    "id": "019c1f90-2d10-7b3e-8d51-9b6d7f0a1c22",
    "job": "SendMessage",
    "queue": "default",
    "item_id": "019c1f6e-5a51-7a14-8c4e-0d9f3a7b2c11",
    "attempt_id": "019c1f6e-6b20-7d02-9f11-3c4d5e6f7a8b",
    "failed_at": "2026-05-01T09:12:44Z",
    "text": "Undeliverable: The retries are used up.",
    "masked": False,
}

OPERATIONS = (
    Operation(
        method="GET",
        path="/failed-jobs",
        name="failed-jobs.index",
        tag="Failed jobs",
        summary="All dead letters, the latest first",
        description="Jobs that were given up. What a job carries is not shown.",
        permissions=NEEDED,
        handler=list_all,
        query=FailedJobQuery,
        answers={200: FailedJobPage},
        answer_example={"data": [LETTER], "next": None},
    ),
    Operation(
        method="GET",
        path="/failed-jobs/{id}",
        name="failed-jobs.show",
        tag="Failed jobs",
        summary="One dead letter",
        description="A dead letter goes when it is retried or discarded, and when its item moves.",
        permissions=NEEDED,
        handler=show_one,
        answers={200: FailedJobShown},
        answer_example=LETTER,
    ),
    Operation(
        method="POST",
        path="/failed-jobs/{id}/retry",
        name="failed-jobs.retry",
        tag="Failed jobs",
        summary="Retry a dead letter",
        description=(
            "A letter of a message is retried as its item is, by the same rules: an unknown"
            " outcome needs `confirm`, and 409 says what the item is where it has gone on. Any"
            " other job is published once more. The letter goes in the same transaction."
        ),
        permissions=NEEDED,
        handler=retry,
        body=RetryLetter,
        body_optional=True,
        answers={200: LetterRetried},
        problems=("conflict", "confirmation-needed"),
        example={"confirm": False},
        answer_example={
            "id": LETTER["id"],
            "item_id": LETTER["item_id"],
            "state": "queued",
            "history_id": 48213,
        },
    ),
    Operation(
        method="DELETE",
        path="/failed-jobs/{id}",
        name="failed-jobs.discard",
        tag="Failed jobs",
        summary="Discard a dead letter",
        description="Its item stays as it is, with a line in its history that says who did it.",
        permissions=NEEDED,
        handler=discard,
        answers={204: None},
    ),
)
