"""One decision about all items that match a filter: stored, worked off in pages, resumable.

Each page is one transaction, from taking the operation to noting what came of each item. Whatever
is killed in between is repeated from the last page that was committed, and an item is never worked
on twice: its result is the operation's, and the next page begins behind it.
"""

import uuid
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from uuid import UUID

import asyncpg
from arvel.kernel import app
from sqlalchemy.exc import DBAPIError

from app.items.bulk import ACTIONS, PAGE
from app.items.operate_verdicts import Refusal, Verdict
from app.models.bulk_operation import BulkOperation
from app.models.queries import bulk as queries
from app.models.queries.bulk import Count, NewOperation, Result
from app.models.queries.bulk_filter import Filter, states_for
from app.models.queries.operate import Decision
from app.models.statements import REPEATABLE, TRIES
from app.workflow import ErrorKind

FIRST = UUID(int=0)
STALLED_AFTER = 60.0
"""Seconds without a page after which an operation is taken up again."""

type Hand = Callable[[UUID], Awaitable[None]]
"""Hands an operation to the workers, after the caller's transaction commits."""

_ports: dict[str, Hand] = {}


class InvalidFilter(ValueError):
    """The filter can't be used for this action; the text says what to change."""


def use(hand: Hand) -> None:
    """Make ``hand`` the way to the workers; called by the provider that wires the queue."""
    _ports["workers"] = hand


def check_filter(action: str, wanted: Filter) -> None:
    """Raises :class:`InvalidFilter` where nothing could ever match."""
    states = states_for(action)
    if wanted.state is not None and wanted.state not in states:
        raise InvalidFilter(
            f"The state must be one of {', '.join(states)}: {action} can't be applied to others."
        )
    if wanted.error_kind is not None and wanted.error_kind not in list(ErrorKind):
        raise InvalidFilter(f"The error kind must be one of: {', '.join(ErrorKind)}.")
    if wanted.method not in (None, "email", "sms"):
        raise InvalidFilter("The method must be email or sms.")
    for time in (wanted.queued_from, wanted.queued_until):
        if time is not None and time.utcoffset() is None:
            raise InvalidFilter("A time must say its zone, as datetime.now(UTC) does.")


async def count(action: str, wanted: Filter) -> Count:
    """How many items an action would concern now; nothing is changed.

    Raises :class:`InvalidFilter`.
    """
    check_filter(action, wanted)
    return await queries.count(action, wanted)


async def start(
    action: str,
    wanted: Filter,
    actor: str,
    *,
    confirm: bool = False,
    operation_id: UUID | None = None,
    request_id: UUID | None = None,
) -> BulkOperation:
    """Let workers apply an action to all items that match now and don't change until their turn.

    Asked twice, it is done once: with the same ``operation_id``, and without one as long as an
    operation with the same action and filter runs, the one that exists is returned. What may have
    been sent is skipped unless ``confirm``.

    Raises :class:`InvalidFilter`; ``ValueError`` when ``operation_id`` is that of another one.
    """
    counted = await count(action, wanted)
    new = NewOperation(
        operation_id or uuid.uuid7(), action, actor, wanted, confirm, counted, request_id
    )
    row, is_new = await queries.open_operation(new)
    if is_new:
        await _ports["workers"](new.id)
    operation = BulkOperation.from_row(row)
    _check_same(operation, new)
    return operation


def _check_same(operation: BulkOperation, new: NewOperation) -> None:
    found = (operation.action, operation.filter, operation.confirm)
    if found != (new.action, new.wanted.as_json(), new.confirm):
        raise ValueError("This id is that of another operation: start this one with a new id.")


async def find(operation_id: UUID) -> BulkOperation | None:
    row = await queries.find(operation_id)
    return None if row is None else BulkOperation.from_row(row)


async def list_operations(before: tuple[datetime, UUID] | None, limit: int) -> list[BulkOperation]:
    """Operations, the newest first, behind the time and id of one."""
    return [BulkOperation.from_row(row) for row in await queries.list_operations(before, limit)]


async def list_results(
    operation_id: UUID, *, after: UUID = FIRST, result: str | None = None, limit: int = PAGE
) -> list[Result]:
    """What came of the items so far, in the order of their ids, behind ``after``."""
    return await queries.results(operation_id, after=after, result=result, limit=limit)


async def stop(operation_id: UUID, actor: str) -> bool:
    """Cancel an operation: what is done stays done. False when it was over already."""
    return await queries.cancel(operation_id, actor)


async def take_stalled() -> list[UUID]:
    """Running operations that nobody works on, such as those whose message was lost."""
    return await queries.take_stalled(STALLED_AFTER)


async def work_page(operation_id: UUID) -> BulkOperation | None:
    """Work off the next page; the operation after it.

    ``None``: it is over, or somebody else is working on it at this moment.
    """
    for attempt in range(1, TRIES + 1):
        try:
            return await _work_page(operation_id)
        except DBAPIError as error:
            if attempt == TRIES or not _is_repeatable(error):
                raise
    raise AssertionError("unreachable")


async def _work_page(operation_id: UUID) -> BulkOperation | None:
    async with app().make("db").transaction():
        operation = await queries.take(operation_id)
        if operation is None:
            return None
        ids = await queries.next_page(operation, PAGE)
        decision = Decision(operation["actor"], operation["confirm"], key=operation_id)
        verdicts = await ACTIONS[operation["action"]](ids, decision) if ids else []
        finished = len(ids) < PAGE
        cursor = ids[-1] if ids else None
        row = await queries.advance(operation_id, _results(verdicts), cursor, finished=finished)
    return BulkOperation.from_row(row)


def _results(verdicts: Sequence[Verdict]) -> list[Result]:
    return [
        Result(v.item_id, _named(v.refusal), v.state or "", v.text, v.copy_id) for v in verdicts
    ]


def _named(refusal: Refusal | None) -> str:
    if refusal is None:
        return "done"
    return "unknown" if refusal == Refusal.UNKNOWN else "refused"


def _is_repeatable(error: DBAPIError) -> bool:
    cause = error.orig.__cause__ if error.orig is not None else None
    return isinstance(cause, (*REPEATABLE, asyncpg.LockNotAvailableError))
