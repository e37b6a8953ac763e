"""The workflow as data, for whoever draws it or decides what may be done."""

from msgspec import Struct

from app import workflow
from app.controllers.api.operation import Answer, Call, Nothing, Operation


class Move(Struct):
    """One transition from one state.

    `normal` moves are what usually happens; `late` ones follow from evidence that a provider
    reports; `ignored` ones keep the state. `error_kinds` and `method` narrow a move to items of
    that kind. A move with a `permission` is one that a person may ask for.
    """

    transition: str
    source: str
    target: str
    kind: str
    error_kinds: list[str]
    method: str | None
    permission: str | None


class Workflow(Struct):
    """All states, which of them are done, and every move between them."""

    states: list[str]
    done: list[str]
    moves: list[Move]


async def show(_call: Call[Nothing, Nothing]) -> Answer:
    return Answer(
        Workflow(
            [str(state) for state in workflow.State],
            [str(state) for state in workflow.State if state in workflow.DONE],
            [describe(move) for move in workflow.MOVES],
        )
    )


def describe(move: workflow.Move) -> Move:
    normal = move.kind is workflow.Kind.NORMAL
    return Move(
        move.transition,
        str(move.source),
        str(move.target),
        str(move.kind),
        sorted(move.error_kinds),
        move.method,
        workflow.transition_named(move.transition).permission if normal else None,
    )


OPERATIONS = (
    Operation(
        method="GET",
        path="/workflow",
        name="workflow.show",
        tag="Workflow",
        summary="The states of an item and the moves between them",
        description="What `docs/workflow.md` shows as a picture.",
        permissions=("read_workflow",),
        handler=show,
        answers={200: Workflow},
    ),
)
