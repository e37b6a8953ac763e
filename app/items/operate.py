"""Retry and cancel: what a person may do with an item, with a reason when it can't be done."""

from dataclasses import dataclass
from uuid import UUID

from app.items import publish
from app.models.queries import operate as queries
from app.models.queries.operate import Answer
from app.workflow import State, find_moves, transition_named


class NotApplied(Exception):
    """The transition was not applied. ``state`` is what the item is; the text says what to do."""

    def __init__(self, state: str, text: str) -> None:
        super().__init__(text)
        self.state = state


class UnknownItem(Exception):
    """There is no queue item with this id."""


@dataclass(frozen=True, slots=True)
class Applied:
    """A transition that was applied, or would be in a dry run."""

    item_id: UUID
    transition: str
    state: str
    dry_run: bool = False


async def retry(
    item_id: UUID,
    actor: str,
    *,
    confirm: bool = False,
    dry_run: bool = False,
    attempt_id: UUID | None = None,
) -> Applied:
    """Queue an item again with a fresh retry budget.

    ``attempt_id`` comes from a dead letter: the item must still be errored with that attempt.

    Raises :class:`NotApplied` when its state doesn't allow it, when its outcome is unknown and
    ``confirm`` is missing, or when its attachments were cleaned away; :class:`UnknownItem`.
    """
    answer = await queries.retry(
        item_id, actor, confirm=confirm, dry_run=dry_run, attempt_id=attempt_id
    )
    applied = _judge(item_id, "retry", answer, confirm=confirm, dry_run=dry_run)
    if answer is not None and answer.due is not None:
        await publish.publish_after_commit([answer.due])
    return applied


async def cancel(
    item_id: UUID, actor: str, *, confirm: bool = False, dry_run: bool = False
) -> Applied:
    """Give an item up; raises as :func:`retry` does."""
    answer = await queries.cancel(item_id, actor, confirm=confirm, dry_run=dry_run)
    return _judge(item_id, "cancel", answer, confirm=confirm, dry_run=dry_run)


def _judge(
    item_id: UUID, transition: str, answer: Answer | None, *, confirm: bool, dry_run: bool
) -> Applied:
    if answer is None:
        raise UnknownItem(f"There is no queue item {item_id}.")
    if not answer.moved:
        reason = _why_not(transition, answer, confirm=confirm)
        if reason or not dry_run:
            raise NotApplied(answer.state, reason or f"The item is {answer.state} by now.")
    return Applied(item_id, transition, transition_named(transition).target, dry_run)


def _why_not(transition: str, answer: Answer, *, confirm: bool) -> str:
    if not find_moves(transition, State(answer.state)):
        return f"An item that is {answer.state} can't be changed by {transition}."
    if not answer.meant:
        return "The dead letter is about an earlier attempt; the item has gone on since."
    if answer.files_gone:
        return "Its attachments were cleaned away, so it can't be sent again."
    if answer.error_kind == "outcome_unknown" and not confirm:
        return "It may have been sent already; confirm that you want this all the same."
    return ""
