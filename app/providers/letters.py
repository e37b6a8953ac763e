"""Makes dead letters and items agree: a letter of ``SendMessage`` is retried as its item."""

from functools import partial
from typing import Any
from uuid import UUID

from app.items import operate
from app.items.operate import Applied, NotApplied, UnknownItem
from app.items.operate_verdicts import Refusal
from app.jobs.send_message import ACTOR, FAILURES_LIMIT, POISONED, SendMessage
from app.models.queries import claim, dead_letters
from app.models.queries.dead_letters import Letter
from app.models.queries.operate import AboutLetter, Decision
from app.providers import operating
from app.worker import payloads
from app.worker.guard import KnownJob
from app.worker.letters import OPERATOR, LetterGone, LetterRefused
from app.worker.queue import Queue

CONFIRM = (
    "The item {id} may have been sent already, so it is retried only by: "
    "arvel dispatch:retry {id} --confirm"
)


def wire(queue: Queue) -> None:
    """Reviving a letter, and a message that killed workers, become moves of their items."""
    queue.letters.rules[SendMessage] = retry_letter
    queue.instance_rules[SendMessage] = partial(retry_instance, queue)
    queue.on_poisoned = count_as_poisoned
    operating.wire(queue)


async def retry_letter(letter: Letter, job: KnownJob, decision: Decision) -> Applied:
    """Retry the letter's item, with which the letter goes.

    Raises:
        LetterRefused: the item has gone on, or its outcome is unknown and needs a confirmation,
            which ``queue:retry`` can't give.
    """
    item_id, attempt_id = (_uuid(job.arguments.get(key)) for key in ("item_id", "attempt_id"))
    if item_id is None:
        raise LetterRefused(f"The dead letter {letter.id} names no item.")
    try:
        return await retry_item(item_id, attempt_id, decision)
    except UnknownItem:
        await dead_letters.remove(letter.id)
        raise LetterGone(f"The item {item_id} is gone; so is its dead letter now.") from None


async def retry_instance(queue: Queue, job: SendMessage) -> None:
    """What ``FailedJob.retry()`` does: the same rules, and a refusal raises, so the letter stays.

    A job without an attempt is no dead letter but a link of a chain: it is published as it is.
    """
    item_id, attempt_id = _uuid(job.item_id), _uuid(job.attempt_id)
    if item_id is not None and attempt_id is not None:
        try:
            await retry_item(item_id, attempt_id, Decision(OPERATOR))
        except UnknownItem:
            raise LetterGone(f"The item {item_id} is gone.") from None
    elif not await queue.publish_payload(payloads.of_instance(job), "default"):
        await queue.dispatch_after(0, job)


async def retry_item(item_id: UUID, attempt_id: UUID | None, decision: Decision) -> Applied:
    """Raises ``LetterRefused``, and ``UnknownItem``."""
    letter = AboutLetter(attempt_id)
    try:
        [verdict] = await operate.decide_retry([item_id], decision, letter)
        return operate.insist(verdict, dry_run=decision.dry_run)
    except NotApplied as refusal:
        text = f"The item {item_id} is not retried. {refusal}"
        if refusal.refusal == Refusal.UNKNOWN:
            text = CONFIRM.format(id=item_id)
        raise LetterRefused(text, item_id, refusal) from None


async def count_as_poisoned(job: KnownJob) -> None:
    """A message that was delivered too often: its item was never claimed by any of these runs."""
    item_id = _uuid(job.arguments.get("item_id")) if job.job_cls is SendMessage else None
    if item_id is not None:
        runs = FAILURES_LIMIT
        await claim.count_failure(item_id, FAILURES_LIMIT, POISONED, ACTOR, runs=runs)


def _uuid(value: Any) -> UUID | None:
    try:
        return UUID(str(value))
    except ValueError:
        return None
