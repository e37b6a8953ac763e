"""Retry, cancel, and any other transition by its name, of one item."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from app.access.permissions import OPERATING
from app.controllers.api.operating.decisions import (
    DECIDED_EXAMPLE,
    REFUSALS,
    Confirm,
    Decide,
    Decided,
    DryRun,
    decided,
    decision_of,
)
from app.controllers.api.operation import Answer, Call, Nothing, Operation
from app.controllers.api.problems import Problem
from app.controllers.api.serve import require
from app.items.bulk import ACTIONS
from app.workflow import transition_named

type TransitionName = Literal[
    "send", "await", "delay", "error", "succeed", "timeout", "retry", "cancel"
]


class TransitionWanted(Struct, forbid_unknown_fields=True):
    """A transition of the workflow, by its name."""

    transition: Annotated[
        TransitionName,
        Meta(description="`retry` or `cancel`. All others are applied by the server alone: 403."),
    ]
    confirm: Confirm = False
    dry_run: DryRun = False


async def retry(call: Call[Nothing, Decide]) -> Answer:
    return await apply("retry", call)


async def cancel(call: Call[Nothing, Decide]) -> Answer:
    return await apply("cancel", call)


async def transit(call: Call[Nothing, TransitionWanted]) -> Answer:
    name = call.body.transition
    permission = transition_named(name).permission
    if permission is None:
        text = f"The transition {name} is applied by the server alone; nobody can ask for it."
        raise Problem("forbidden", text, needs=[])
    require(call.caller, permission)
    return await apply(name, call)


async def apply(
    transition: str, call: Call[Nothing, Decide] | Call[Nothing, TransitionWanted]
) -> Answer:
    [verdict] = await ACTIONS[transition]([call.key()], decision_of(call))
    return Answer(decided(verdict, dry_run=call.body.dry_run))


RETRY = (
    "Queues a delayed or errored item again, with a fresh budget of retries. An item whose outcome"
    " is unknown needs `confirm`. One whose attachments were cleaned away is refused (409, `reason`"
    " is `files_gone`). Where somebody else was first, 409 says what the item is now; while it is"
    " being sent, also when to try again."
)
CANCEL = (
    "Gives a queued, delayed or errored item up. An item whose outcome is unknown needs `confirm`:"
    " it may have been sent. Where somebody else was first, 409 says what the item is now."
)
TRANSITIONS = (
    "Applies a transition by its name; the same as the operation of that name, and it needs the"
    " same permission besides those below. `GET /api/workflow` lists the transitions."
)

OPERATIONS = (
    Operation(
        method="POST",
        path="/queue-items/{id}/retry",
        name="queue-items.retry",
        tag="Operating",
        summary="Retry an item",
        description=RETRY,
        permissions=(*OPERATING, "can_retry"),
        handler=retry,
        body=Decide,
        body_optional=True,
        answers={200: Decided},
        problems=REFUSALS,
        example={"confirm": False, "dry_run": False},
        answer_example=DECIDED_EXAMPLE,
    ),
    Operation(
        method="POST",
        path="/queue-items/{id}/cancel",
        name="queue-items.cancel",
        tag="Operating",
        summary="Cancel an item",
        description=CANCEL,
        permissions=(*OPERATING, "can_cancel"),
        handler=cancel,
        body=Decide,
        body_optional=True,
        answers={200: Decided},
        problems=REFUSALS,
        example={"confirm": False, "dry_run": False},
        answer_example={**DECIDED_EXAMPLE, "transition": "cancel", "state": "cancelled"},
    ),
    Operation(
        method="POST",
        path="/queue-items/{id}/transitions",
        name="queue-items.transition",
        tag="Operating",
        summary="Apply a transition to an item",
        description=TRANSITIONS,
        permissions=OPERATING,
        handler=transit,
        body=TransitionWanted,
        answers={200: Decided},
        problems=REFUSALS,
        example={"transition": "retry"},
        answer_example=DECIDED_EXAMPLE,
    ),
)
