"""Sending a done message once more, as a new item."""

import uuid
from collections.abc import Mapping, Sequence
from uuid import UUID

from app.items import publish
from app.items.channels import choose_channel
from app.items.operate import require
from app.items.operate_verdicts import Refusal, Verdict, refused
from app.models import statements
from app.models.queries import resend as queries
from app.models.queries.compose import READ
from app.models.queries.operate import Decision
from app.models.queries.resend import CopyAnswer, Copying, Reached
from app.models.queue_item import QueueItem
from app.models.sent_item import SentItem
from app.workflow import DONE

NOT_DONE = "It is {state}, and only what is cancelled, succeeded or unconfirmed is sent again."
FILES_GONE = "Its attachments were cleaned away. Compose the message again with the files."
UNKNOWN = "Its receiver may have it already; confirm that you want to send it once more."


async def resend(
    item_id: UUID, actor: str, *, confirm: bool = False, dry_run: bool = False
) -> Verdict:
    """Send a done item's message once more, as a new item that names it in ``cloned_from``.

    The verdict names the copy. It is published after the caller's transaction commits, and takes
    the channel that a new message would take now.

    Raises :class:`~app.items.operate.NotApplied` when the item isn't done, when its attachments
    were cleaned away, or when its receiver may have the message already (it is unconfirmed, or
    was cancelled while that was unknown) and ``confirm`` is missing;
    :class:`~app.items.operate.UnknownItem`.
    """
    [verdict] = await decide_resend([item_id], Decision(actor, confirm, dry_run))
    require(verdict)
    return verdict


async def clone(sent: SentItem, actor: str, confirm: bool) -> QueueItem:
    """A copy that waits to be scheduled; raises as :func:`resend` does."""
    [verdict] = await decide_resend([sent.id], Decision(actor, confirm), scheduled=False)
    require(verdict)
    assert verdict.copy_id is not None
    [row] = await statements.run(READ, [verdict.copy_id])
    return QueueItem.from_row(row)


async def decide_resend(
    ids: Sequence[UUID], decision: Decision, *, scheduled: bool = True
) -> list[Verdict]:
    """Copy each of a page of items, in one statement; the copies are published."""
    copies = plan_copies(await queries.find_receivers(ids))
    answers = await queries.copy_page(list(copies.values()), decision, scheduled=scheduled)
    due = [answer.due for answer in answers.values() if answer.due is not None]
    if due:
        await publish.publish_after_commit(due)
    return [
        judge_copy(item_id, copies.get(item_id), answers.get(item_id), decision) for item_id in ids
    ]


def plan_copies(receivers: Mapping[UUID, Reached]) -> dict[UUID, Copying]:
    return {
        item_id: Copying(item_id, uuid.uuid7(), choose_channel(reached.method, reached.address))
        for item_id, reached in receivers.items()
    }


def judge_copy(
    item_id: UUID, copy: Copying | None, answer: CopyAnswer | None, decision: Decision
) -> Verdict:
    if copy is None or answer is None:
        return refused(item_id, "resend", None, Refusal.MISSING)
    refusal = find_refusal(answer, confirm=decision.confirm)
    if answer.copied or (refusal is None and decision.dry_run):
        copy_id = None if decision.dry_run else copy.copy_id
        return Verdict(item_id, "resend", "queued", copy_id=copy_id, channel=copy.channel)
    refusal = refusal or Refusal.STATE
    text = TEXTS[refusal].format(state=answer.state)
    return refused(item_id, "resend", answer.state, refusal, text=text)


TEXTS = {
    Refusal.STATE: NOT_DONE,
    Refusal.FILES_GONE: FILES_GONE,
    Refusal.UNKNOWN: UNKNOWN,
}


def find_refusal(answer: CopyAnswer, *, confirm: bool) -> Refusal | None:
    if answer.state not in DONE:
        return Refusal.STATE
    if answer.files_gone:
        return Refusal.FILES_GONE
    return Refusal.UNKNOWN if answer.doubtful and not confirm else None
