"""Retry and cancel: what a person may do with an item, with a reason when it can't be done."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from app.items import publish
from app.items.operate_verdicts import Refusal, Verdict, judge
from app.models.queries import operate as queries
from app.models.queries.operate import AboutLetter, Answer, Decision


class NotApplied(Exception):
    """The decision was not applied. ``state`` is what the item is; the text says what to do.

    ``try_again_at``: when an item that is being sent will have left that state.
    """

    def __init__(
        self,
        state: str,
        text: str,
        refusal: Refusal = Refusal.STATE,
        try_again_at: datetime | None = None,
    ) -> None:
        super().__init__(text)
        self.state = state
        self.refusal = refusal
        self.try_again_at = try_again_at


class UnknownItem(Exception):
    """There is no queue item with this id."""


@dataclass(frozen=True, slots=True)
class Applied:
    """A transition that was applied, or would be in a dry run; ``history_id`` is its line."""

    item_id: UUID
    transition: str
    state: str
    dry_run: bool = False
    history_id: int | None = None


async def retry(
    item_id: UUID,
    actor: str,
    *,
    confirm: bool = False,
    dry_run: bool = False,
    letter: AboutLetter | None = None,
) -> Applied:
    """Queue an item again with a fresh retry budget.

    ``letter`` says that a dead letter asks: the item must still be errored with its attempt.

    Raises :class:`NotApplied` when its state doesn't allow it, when its outcome is unknown and
    ``confirm`` is missing, or when its attachments were cleaned away; :class:`UnknownItem`.
    """
    decision = Decision(actor, confirm, dry_run)
    return insist(*await decide_retry([item_id], decision, letter), dry_run=dry_run)


async def cancel(
    item_id: UUID, actor: str, *, confirm: bool = False, dry_run: bool = False
) -> Applied:
    """Give an item up; raises as :func:`retry` does."""
    decision = Decision(actor, confirm, dry_run)
    return insist(*await decide_cancel([item_id], decision), dry_run=dry_run)


async def decide_retry(
    ids: Sequence[UUID], decision: Decision, letter: AboutLetter | None = None
) -> list[Verdict]:
    """Retry each of a page of items, in one statement; what was queued is published."""
    answers = await queries.retry_page(ids, decision, letter)
    due = [answer.due for answer in answers.values() if answer.due is not None]
    if due:
        await publish.publish_after_commit(due)
    return _judge_all("retry", ids, answers, decision)


async def decide_cancel(ids: Sequence[UUID], decision: Decision) -> list[Verdict]:
    """Cancel each of a page of items, in one statement."""
    return _judge_all("cancel", ids, await queries.cancel_page(ids, decision), decision)


def _judge_all(
    transition: str, ids: Sequence[UUID], answers: Mapping[UUID, Answer], decision: Decision
) -> list[Verdict]:
    return [judge(item_id, transition, answers.get(item_id), decision) for item_id in ids]


def insist(verdict: Verdict, *, dry_run: bool) -> Applied:
    """What was applied; raises :class:`NotApplied` or :class:`UnknownItem` where nothing was."""
    require(verdict)
    return Applied(
        verdict.item_id, verdict.transition, str(verdict.state), dry_run, verdict.history_id
    )


def require(verdict: Verdict) -> None:
    """Raises :class:`NotApplied` or :class:`UnknownItem` unless the decision was applied."""
    if verdict.refusal is None:
        return
    if verdict.refusal == Refusal.MISSING:
        raise UnknownItem(verdict.text)
    raise NotApplied(str(verdict.state), verdict.text, verdict.refusal, verdict.try_again_at)
