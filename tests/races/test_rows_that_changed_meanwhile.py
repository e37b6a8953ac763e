"""A statement that waits for a row is judged by what the row is then, and never fails of the wait.

PostgreSQL checks the row that a statement began to change before it learns that the row was changed
meanwhile: what it then makes of the old row must pass the CHECKs as well.
"""

import asyncio
import uuid
from collections.abc import Callable, Coroutine
from itertools import batched, product
from typing import Any, NamedTuple

import pytest

from app.items import evidence as reports
from app.items import outcome as outcomes
from app.models import statements
from app.models.queries import claim as claiming
from app.models.queries import compose_schedule, evidence, operate, publish, record, stand_down
from app.models.queries import timeouts as waiting
from app.models.statements import Statements
from app.settings import RetrySettings
from tests.fakes.facts import OUTCOMES, attempt_of
from tests.fakes.items import Put, event, history_of, put_attempt, put_item, state_of
from tests.fakes.waiting import until

AT_ONCE = 18
EARLIER = 0
"""The number of another attempt, which a provider knows."""


class Shape(NamedTuple):
    """What a row may be; ``current``: it has an attempt that reports are about."""

    state: str
    current: bool = True
    error_kind: str | None = None


SHAPES = (
    Shape("queued", current=False),
    Shape("delayed"),
    Shape("delayed", current=False),
    Shape("sending"),
    Shape("awaiting"),
    Shape("errored", error_kind="outcome_unknown"),
    Shape("errored", current=False, error_kind="poisoned"),
    Shape("succeeded"),
    Shape("unconfirmed"),
    Shape("cancelled"),
)

CHANGE = """
UPDATE queue_items SET state = $2, attempt_id = $3, error_kind = $4,
    lease_until = CASE WHEN $2 = 'sending' THEN now() + interval '40 s' END,
    finished_at = CASE WHEN $2 IN ('succeeded', 'unconfirmed', 'cancelled') THEN now() END
WHERE id = $1
"""

type Act = Callable[[Put], Coroutine[Any, Any, Any]]


def recorded(outcome: str) -> Act:
    async def act(item: Put) -> None:
        entry = outcomes.entry_for(attempt_of(item), OUTCOMES[outcome], RetrySettings())
        await record.record(record.with_message_id(entry, None))

    return act


def reported(said: str) -> Act:
    async def act(item: Put) -> None:
        [event_id] = await reports.store("sandbox", [event(said, item.attempt)])
        await evidence.apply(event_id, item.attempt, item.id, "webhook")

    return act


async def give_way(item: Put) -> None:
    [row] = await statements.run(
        "SELECT id FROM attempts WHERE item_id = $1 AND number = $2", item.id, EARLIER
    )
    await stand_down.stand_down(item.id, item.attempt, row["id"], "known before", "worker")


async def fail_publishing(item: Put) -> None:
    await publish.fail([(item.id, None)], "no broker", "publish")


ACTS: dict[str, Act] = {
    **{f"record {outcome}": recorded(outcome) for outcome in OUTCOMES},
    **{f"report {said}": reported(said) for said in ("in_flight", "delivered", "failed")},
    "claim": lambda item: claiming.claim(item.id, uuid.uuid7(), 40.0, "worker"),
    "count a failure": lambda item: claiming.count_failure(item.id, 1, "broken", "worker"),
    "postpone": lambda item: claiming.postpone(item.id, 5.0),
    "redirect": lambda item: claiming.redirect(item.attempt, "sandbox"),
    "stand down": give_way,
    "time out": lambda item: waiting.time_out(item.id, item.attempt, "no report", "worker"),
    "retry": lambda item: operate.retry(item.id, "operator", confirm=True, dry_run=False),
    "cancel": lambda item: operate.cancel(item.id, "operator", confirm=True, dry_run=False),
    "schedule": lambda item: compose_schedule.schedule(item.id),
    "fail to publish": fail_publishing,
}


async def put(shape: Shape) -> Put:
    item = await put_item(shape.state, current=shape.current, error_kind=shape.error_kind)
    await put_attempt(item.id, uuid.uuid7(), number=EARLIER, report="in_flight")
    return item


async def all_wait(tasks: list[asyncio.Task[Any]]) -> bool:
    """Whether each of them waits for a lock, unless it had nothing to wait for."""
    [row] = await statements.run(
        "SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database()"
        " AND wait_event_type = 'Lock'"
    )
    return row["n"] + sum(task.done() for task in tasks) >= len(tasks)


@pytest.mark.parametrize("name", ACTS)
async def test_no_statement_fails_of_a_row_that_changed_while_it_waited(
    database: Statements, name: str
) -> None:
    pool = await database.pool()
    pairs = [(old, new) for old, new in product(SHAPES, SHAPES) if old != new]
    for some in batched(pairs, AT_ONCE, strict=False):
        items = await asyncio.gather(*(put(old) for old, _ in some))
        changing = [
            (item.id, new.state, item.attempt if new.current else None, new.error_kind)
            for item, (_, new) in zip(items, some, strict=True)
        ]
        async with pool.acquire() as holder, holder.transaction():
            await holder.executemany(CHANGE, changing)
            tasks = [asyncio.create_task(ACTS[name](item)) for item in items]
            await until(lambda tasks=tasks: all_wait(tasks))
        await asyncio.gather(*tasks)
        for item in items:
            moves = await history_of(item.id)
            assert not moves or moves[-1][2] == await state_of(item.id)
