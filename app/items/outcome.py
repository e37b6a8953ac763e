"""Turns what a call came to into a line for the books, and writes it until it is written."""

import asyncio
import json
import random
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from arvel.kernel.logging import LogManager

from app.items import unrecorded
from app.models.queries import record as queries
from app.models.queries.record import Entry, Letter
from app.models.statements import UNAVAILABLE, Row
from app.settings import RetrySettings
from app.transports.contract import Accepted, NotSent, Outcome, Rejected, TryLater, Unknown
from app.workflow import ErrorKind

RECORD_FOR = 120.0
"""Seconds for which a known outcome is tried to be recorded before it goes to a file."""

GREYLIST_AT_LEAST = 60.0
CLAIM_LOST = "The database went away while this attempt was started. Nothing was sent."
JOB = "app.jobs.send_message:SendMessage"


@dataclass(frozen=True, slots=True)
class Attempt:
    """What the books need to know of the attempt whose outcome is written."""

    item_id: UUID
    attempt_id: UUID
    method: str
    retries: int
    not_sent: int
    actor: str


def retry_delay(attempt: Attempt, outcome: TryLater, settings: RetrySettings) -> float:
    """Seconds until the next try: doubling from the base up to the cap, or what was asked for."""
    planned = min(settings.retry_base * 2.0 ** min(attempt.retries, 20), settings.retry_cap)
    if settings.retry_jitter:
        planned *= random.uniform(0.5, 1.5)  # noqa: S311 - spreads load, guards nothing
    return max(planned, outcome.retry_after or 0.0)


def not_sent_delay(attempt: Attempt, settings: RetrySettings) -> float:
    """Seconds until a message that never left is tried again: at once first, then 60, 120, …

    It costs no retry, so only the delay keeps an outage of an hour from filling the history.
    """
    if attempt.not_sent == 0:
        return 0.0
    return min(30.0 * 2.0 ** min(attempt.not_sent, 20), settings.retry_cap)


def entry_for(attempt: Attempt, outcome: Outcome, settings: RetrySettings) -> Entry:
    """The one place where an outcome is mapped to a transition."""
    match outcome:
        case Accepted(message_id, text, final):
            return _entry(
                attempt,
                "accepted",
                "succeed" if final else "await",
                text or "The provider accepted the message.",
                message_id=message_id,
                said="delivered" if final else "in_flight",
            )
        case Rejected(text, code, kind):
            return _entry(
                attempt, "rejected", "error", text, code=code, error_kind=kind, said="failed"
            )
        case NotSent(text, code):
            delay = not_sent_delay(attempt, settings)
            return _entry(attempt, "not_sent", "delay", text, code=code, delay=delay)
        case Unknown(text, code):
            return _entry(
                attempt,
                "unknown",
                "error",
                text,
                code=code,
                error_kind=ErrorKind.OUTCOME_UNKNOWN,
                may_have_been_sent=True,
            )
        case TryLater():
            return _try_later(attempt, outcome, settings)


def _try_later(attempt: Attempt, outcome: TryLater, settings: RetrySettings) -> Entry:
    if attempt.retries >= settings.max_retries:
        return _entry(
            attempt,
            "try_later",
            "error",
            f"{outcome.text} Given up after {attempt.retries + 1} attempts.".strip(),
            code=outcome.code,
            error_kind=ErrorKind.RETRIES_EXHAUSTED,
            may_have_been_sent=outcome.may_have_been_sent,
        )
    return _entry(
        attempt,
        "try_later",
        "delay",
        outcome.text,
        code=outcome.code,
        delay=retry_delay(attempt, outcome, settings),
        may_have_been_sent=outcome.may_have_been_sent,
    )


def _entry(
    attempt: Attempt,
    outcome: str,
    transition: str,
    text: str,
    *,
    code: str = "",
    message_id: str | None = None,
    may_have_been_sent: bool = False,
    error_kind: str | None = None,
    delay: float | None = None,
    said: str = "",
) -> Entry:
    return Entry(
        item_id=attempt.item_id,
        attempt_id=attempt.attempt_id,
        outcome=outcome,
        transition=transition,
        text=text[:2000],
        actor=attempt.actor,
        code=code[:64],
        message_id=message_id,
        may_have_been_sent=may_have_been_sent,
        error_kind=error_kind,
        delay=delay,
        said=said,
    )


def unforeseen(attempt: Attempt, error: BaseException, *, transmitted: bool) -> Entry:
    """A run that failed after its claim: not sent before the transmission, unknown after it."""
    kind = type(error).__name__
    if transmitted:
        text = (
            f"The worker failed ({kind}) while the message was on its way: it may have been sent."
        )
        return entry_for(attempt, Unknown(text, kind), RetrySettings())
    text = f"The worker failed ({kind}) before the message was sent. Nothing was sent."
    return _entry(attempt, "not_sent", "error", text, code=kind, error_kind=ErrorKind.UNFORESEEN)


def stopped(attempt: Attempt, error: BaseException, *, transmitted: bool) -> Entry:
    """A worker that had to stop: what was not transmitted yet is simply sent by another one."""
    if transmitted:
        return unforeseen(attempt, error, transmitted=True)
    text = "The worker stopped before the message was sent. Nothing was sent."
    return entry_for(attempt, NotSent(text), RetrySettings())


def letter_for(item_id: UUID, attempt_id: UUID) -> Letter:
    """A dead letter as arvel writes it when a job of this class runs out of tries."""
    state = {"item_id": str(item_id), "attempt_id": str(attempt_id)}
    envelope = {"job": JOB, "state": state, "_trace": {}, "_context": {}, "_log_context": {}}
    return Letter(uuid.uuid7(), json.dumps(envelope))


async def give_back(attempt: Attempt, *, tries: int = 30, pause: float = 2.0) -> None:
    """Undo a claim whose answer was lost: nothing was sent, so the item is simply due again.

    Without it the item would be called unknown once its lease is over. Nothing happens where the
    claim was never committed.
    """
    entry = entry_for(attempt, NotSent(CLAIM_LOST), RetrySettings())
    for _ in range(tries):
        try:
            await queries.record(entry)
            return
        except UNAVAILABLE:
            await asyncio.sleep(pause)


async def record(
    entry: Entry, *, clock: Callable[[], float] = time.monotonic, seconds: float = RECORD_FOR
) -> Row | None:
    """Write an outcome, again and again while the database is away; then into a file.

    A known outcome is worth waiting for: without it the item would be called unknown.
    """
    until = clock() + seconds
    pause = 0.1
    while True:
        try:
            return await queries.record(entry)
        except UNAVAILABLE as error:
            if clock() >= until:
                return unrecorded.keep(entry)
            LogManager().channel("queue").warning(
                "record_repeated", item_id=str(entry.item_id), error=type(error).__name__
            )
        except asyncio.CancelledError:
            unrecorded.keep(entry)
            raise
        except Exception as error:
            # Whatever is wrong here, what the provider said is not to be forgotten.
            LogManager().channel("dispatch").error(
                "record_failed", item_id=str(entry.item_id), error=type(error).__name__
            )
            return unrecorded.keep(entry)
        await asyncio.sleep(pause)
        pause = min(pause * 2, 5.0)
