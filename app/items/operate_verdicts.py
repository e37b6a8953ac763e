"""What came of a decision about an item, and if nothing: why, and what to do instead."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from app.models.queries.operate import Answer, Decision
from app.workflow import State, find_moves, transition_named


class Refusal(StrEnum):
    """Why a decision was not applied to an item."""

    MISSING = "missing"
    STATE = "state"
    STALE_LETTER = "stale_letter"
    FILES_GONE = "files_gone"
    UNKNOWN = "unknown"
    """It may have been sent, and that was not confirmed."""


TEXTS = {
    Refusal.MISSING: "There is no queue item {id}.",
    Refusal.STATE: "An item that is {state} can't be changed by {transition}.",
    Refusal.STALE_LETTER: "The dead letter is about an earlier attempt: the item has gone on.",
    Refusal.FILES_GONE: "Its attachments were cleaned away, so it can't be sent again.",
    Refusal.UNKNOWN: "It may have been sent already; confirm that you want this all the same.",
}
SENDING = "It is being sent. Try again after {at:%H:%M:%S} UTC, when that has ended at the latest."


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a decision came to for one item.

    ``state`` is what the item is then, or would be in a dry run; without ``refusal`` the decision
    was applied. ``try_again_at``: when an item that is being sent will have left that state.
    ``copy_id`` and ``channel`` say of a resent item what its copy is and which way it takes.
    """

    item_id: UUID
    transition: str
    state: str | None
    refusal: Refusal | None = None
    text: str = ""
    history_id: int | None = None
    try_again_at: datetime | None = None
    copy_id: UUID | None = None
    channel: str | None = None

    @property
    def applied(self) -> bool:
        return self.refusal is None


def refused(
    item_id: UUID,
    transition: str,
    state: str | None,
    refusal: Refusal,
    *,
    text: str | None = None,
    try_again_at: datetime | None = None,
) -> Verdict:
    """A refusal in its usual words, or in those given."""
    usual = TEXTS[refusal].format(id=item_id, state=state, transition=transition)
    return Verdict(item_id, transition, state, refusal, text or usual, try_again_at=try_again_at)


def judge(item_id: UUID, transition: str, answer: Answer | None, decision: Decision) -> Verdict:
    """The verdict on an item from what the database answered; ``None``: it has no such item."""
    if answer is None:
        return refused(item_id, transition, None, Refusal.MISSING)
    reason = find_refusal(transition, answer, confirm=decision.confirm)
    if answer.moved or (reason is None and decision.dry_run):
        target = transition_named(transition).target
        return Verdict(item_id, transition, target, history_id=answer.history_id)
    reason = reason or Refusal.STATE
    text = SENDING.format(at=answer.lease_until) if answer.lease_until else None
    return refused(
        item_id,
        transition,
        answer.state,
        reason,
        text=text if reason == Refusal.STATE else None,
        try_again_at=answer.lease_until,
    )


def find_refusal(transition: str, answer: Answer, *, confirm: bool) -> Refusal | None:
    """The reason that weighs most; ``None`` when nothing stands against it."""
    if not answer.meant:
        return Refusal.STALE_LETTER
    if not find_moves(transition, State(answer.state)):
        return Refusal.STATE
    if answer.files_gone:
        return Refusal.FILES_GONE
    if answer.error_kind == "outcome_unknown" and not confirm:
        return Refusal.UNKNOWN
    return None
