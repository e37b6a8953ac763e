"""Makes dead letters and items agree: a letter of ``SendMessage`` is retried as its item."""

from typing import Any
from uuid import UUID

from app.items import operate
from app.items.operate import NotApplied, UnknownItem
from app.jobs.send_message import ACTOR, FAILURES_LIMIT, POISONED, SendMessage
from app.models.queries import claim, dead_letters
from app.models.queries.dead_letters import Letter
from app.worker.guard import KnownJob
from app.worker.letters import LetterRefused
from app.worker.queue import Queue

OPERATOR = "queue:retry"


def wire(queue: Queue) -> None:
    """Reviving a letter, and a message that killed workers, become moves of their items."""
    queue.letters.rules[SendMessage] = retry_item
    queue.on_poisoned = count_as_poisoned


async def retry_item(letter: Letter, job: KnownJob) -> None:
    """Retry the letter's item, which removes the letter in the same statement.

    Raises:
        LetterRefused: the item has gone on, or its outcome is unknown and needs a confirmation
            that this command can't give.
    """
    item_id, attempt_id = (_uuid(job.arguments.get(key)) for key in ("item_id", "attempt_id"))
    if item_id is None:
        raise LetterRefused(f"The dead letter {letter.id} names no item.")
    try:
        await operate.retry(item_id, OPERATOR, attempt_id=attempt_id)
    except UnknownItem:
        await dead_letters.remove(letter.id)
        raise LetterRefused(f"The item {item_id} is gone; so is its dead letter now.") from None
    except NotApplied as refusal:
        raise LetterRefused(f"The item {item_id} is not retried. {refusal}") from None


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
