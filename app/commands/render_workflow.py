"""Renders the workflow's page and picture from the table of transitions."""

from collections.abc import Iterator

from app.workflow import DONE, IGNORED, LATE, TRANSITIONS, Move, State

HEAD = """# The workflow of a queue item

This page is generated from `app/workflow.py` by `arvel dispatch:workflow`; change the table there.

An item begins as `queued`. Done states are {done}: done items are
*sent items*. `errored` is not done: an errored item stays in the queue until someone retries or
cancels it, or evidence moves it.
"""

LATE_HEAD = """
## Late moves

They happen on evidence only: what a provider reports about an attempt, or the record of an attempt
that was meanwhile called unknown. *Our* errors are those that say nothing about the provider's
view: `publish_failed`, `outcome_unknown`, `poisoned`, `unforeseen`, `retries_exhausted`.
"""

IGNORED_HEAD = """
## Ignored moves

They keep the state; `result` takes the event's text, and a delivery is shown as "delivered after
cancel".
"""


def picture() -> str:
    """The normal moves as a Mermaid state diagram."""
    return "\n".join(["```mermaid", "stateDiagram-v2", *_arrows(), "```"]) + "\n"


def _arrows() -> Iterator[str]:
    yield f"    [*] --> {State.QUEUED}"
    for transition in TRANSITIONS:
        for source in transition.sources:
            yield f"    {source} --> {transition.target}: {transition.name}"
    for state in State:
        if state in DONE:
            yield f"    {state} --> [*]"


def page() -> str:
    """The whole page as Markdown."""
    done = ", ".join(f"`{state}`" for state in State if state in DONE)
    return "".join(
        [
            HEAD.format(done=done),
            "\n",
            picture(),
            "\n",
            _table(("transition", "from", "to", "applied when", "permission"), _normal()),
            LATE_HEAD,
            "\n",
            _table(("transition", "from", "to", "only if"), (_late(m) for m in LATE)),
            IGNORED_HEAD,
            "\n",
            _table(("transition", "from"), ((m.transition, m.source) for m in IGNORED)),
        ]
    )


def _normal() -> Iterator[tuple[str, ...]]:
    for transition in TRANSITIONS:
        yield (
            f"`{transition.name}`",
            ", ".join(transition.sources),
            transition.target,
            transition.applied_when,
            f"`{transition.permission}`" if transition.permission else "none",
        )


def _late(move: Move) -> tuple[str, ...]:
    conditions: list[str] = []
    if len(move.error_kinds) == 1:
        conditions.append(f"`error_kind` is `{next(iter(move.error_kinds))}`")
    elif move.error_kinds:
        conditions.append("the error is ours")
    if move.method:
        conditions.append(f"the method is {move.method}")
    return f"`{move.transition}`", move.source, move.target, " and ".join(conditions)


def _table(heads: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> str:
    lines = [heads, tuple("---" for _ in heads), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
