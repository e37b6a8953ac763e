"""What a decision about one item is asked by and answered with, and why it may be refused."""

import math
from datetime import UTC, datetime
from typing import Annotated, Any
from uuid import UUID

from msgspec import Meta, Struct

from app.controllers.api.operation import Call
from app.controllers.api.problems import Problem
from app.items.operate_verdicts import Refusal, Verdict
from app.models.queries.operate import Decision

CONFIRM = (
    "Also where the outcome of the last attempt is unknown, so that the receiver may get the "
    "message twice, or has it in spite of a cancellation."
)
DRY_RUN = "Only say what would be done; nothing is changed."

type Confirm = Annotated[bool, Meta(description=CONFIRM)]
type DryRun = Annotated[bool, Meta(description=DRY_RUN)]


class Decide(Struct, forbid_unknown_fields=True):
    """How a decision is meant. No body at all means neither."""

    confirm: Confirm = False
    dry_run: DryRun = False


class Decided(Struct):
    """What a decision came to."""

    id: Annotated[UUID, Meta(description="The queue item.")]
    transition: Annotated[str, Meta(description="What was applied.")]
    state: Annotated[str, Meta(description="What the item is now, or would be.")]
    dry_run: Annotated[bool, Meta(description="Nothing was changed.")]
    history_id: Annotated[
        int | None, Meta(description="The line of the item's history that this caused.")
    ]


DECIDED_EXAMPLE = {
    "id": "019c1f6e-5a51-7a14-8c4e-0d9f3a7b2c11",
    "transition": "retry",
    "state": "queued",
    "dry_run": False,
    "history_id": 48211,
}

REFUSALS = ("conflict", "confirmation-needed")


def decision_of(call: Call[Any, Any]) -> Decision:
    """The caller's decision, under the id of the request."""
    body = call.body
    return Decision(call.caller.actor, body.confirm, body.dry_run, key=call.request_id)


def decided(verdict: Verdict, *, dry_run: bool) -> Decided:
    """What was applied; raises the :class:`Problem` that a refusal is."""
    if verdict.refusal is not None:
        raise refusal_of(verdict)
    return Decided(
        verdict.item_id, verdict.transition, str(verdict.state), dry_run, verdict.history_id
    )


def refusal_of(verdict: Verdict) -> Problem:
    """Why nothing was done, with the state that the item has now."""
    if verdict.refusal == Refusal.MISSING:
        return Problem("not-found")
    if verdict.refusal == Refusal.UNKNOWN:
        item, state = str(verdict.item_id), str(verdict.state)
        return Problem("confirmation-needed", verdict.text, item=item, state=state)
    return conflict(str(verdict.refusal), verdict.text, str(verdict.state), verdict.try_again_at)


def conflict(reason: str, text: str, state: str, try_again_at: datetime | None = None) -> Problem:
    """``reason`` is for programs. ``try_again_at``: when the state will have changed by itself."""
    members = {"reason": reason, "state": state}
    headers: dict[str, str] = {}
    if try_again_at is not None:
        members["try_again_at"] = try_again_at.isoformat()
        headers["retry-after"] = str(seconds_until(try_again_at))
    return Problem("conflict", text, headers=headers, **members)


def seconds_until(moment: datetime) -> int:
    """Whole seconds, at least one."""
    return max(1, math.ceil((moment - datetime.now(UTC)).total_seconds()))
