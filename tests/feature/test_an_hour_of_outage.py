"""An hour without broker or provider, in simulated time: nothing piles up."""

import uuid
from collections import Counter
from collections.abc import Sequence
from datetime import datetime

import pytest

from app.items import outcome, publish, sweep
from app.items.outcome import Attempt
from app.models import statements
from app.models.queries import claim as claiming
from app.models.queries.publish import Due
from app.models.statements import Statements
from app.settings import RetrySettings
from app.transports.contract import NotSent, Outcome, TryLater
from tests.fakes.items import history_of, put_item, see
from tests.fakes.transports import find_nothing

STEP = 5
HOUR = 3600 // STEP
ITEMS = 4

LATER = """
UPDATE queue_items SET due_at = due_at - interval '5 s',
    dispatched_at = dispatched_at - interval '5 s', last_updated = last_updated - interval '5 s'
"""


class Broker:
    """Takes jobs or not, and counts those that it holds."""

    def __init__(self, *, up: bool) -> None:
        self.up = up
        self.held: list[uuid.UUID] = []
        self.asked = 0

    async def take(self, items: Sequence[Due]) -> bool:
        self.asked += len(items)
        if self.up:
            self.held.extend(due.item_id for due in items)
        return self.up

    async def oldest(self) -> dict[str, datetime | None]:
        return dict.fromkeys(("high", "default", "bulk"))


async def pass_an_hour(broker: Broker, each_step: object = None) -> None:
    for _ in range(HOUR):
        await statements.run(LATER)
        await publish.publish_due()
        await sweep.sweep(broker.oldest, find_nothing)
        if each_step is not None:
            await each_step()


async def test_a_broker_that_is_away_gathers_no_jobs_and_little_history(
    database: Statements,
) -> None:
    broker = Broker(up=False)
    publish.use(broker.take)
    items = [await put_item("queued", attempts=0) for _ in range(ITEMS)]
    await publish.publish([Due(i.id, "default", (await see(i.id))["dispatched_at"]) for i in items])
    await pass_an_hour(broker)
    assert broker.asked <= 20 * ITEMS
    for item in items:
        assert len(await history_of(item.id)) <= 20

    broker.up = True
    await statements.run(
        "UPDATE queue_items SET last_updated = last_updated - interval '10 min', "
        "due_at = now() - interval '20 min', dispatched_at = now() - interval '20 min'"
    )
    await sweep.sweep(broker.oldest, find_nothing)
    assert Counter(broker.held) == Counter(item.id for item in items)


async def test_lost_messages_are_published_again_a_bounded_number_of_times(
    database: Statements,
) -> None:
    broker = Broker(up=True)
    publish.use(broker.take)
    for _ in range(ITEMS):
        await put_item("queued", attempts=0)
    await pass_an_hour(broker)
    assert len(broker.held) <= 12 * ITEMS


@pytest.mark.parametrize(
    ("answer", "rows"),
    [(NotSent("connection refused"), 20), (TryLater("503", "503"), 24)],
    ids=["unreachable", "answers 503"],
)
async def test_a_provider_that_is_away_fills_no_history(
    database: Statements, answer: Outcome, rows: int
) -> None:
    """The retries of the second case are the documented ones: 16 s doubling up to 10 minutes."""
    broker = Broker(up=True)
    publish.use(broker.take)
    items = [await put_item("queued", attempts=0) for _ in range(ITEMS)]
    broker.held = [item.id for item in items]

    async def work() -> None:
        held, broker.held = broker.held, []
        for item in held:
            await try_to_send(item, answer)

    await pass_an_hour(broker, work)
    for item in items:
        assert len(await history_of(item.id)) <= rows
        assert (await see(item.id))["state"] == "delayed"


async def try_to_send(item: uuid.UUID, answer: Outcome) -> None:
    key = uuid.uuid7()
    row = await claiming.claim(item, key, 40.0, "worker")
    if row is None:
        return
    attempt = Attempt(item, key, "email", row["retries"], row["not_sent"], "worker")
    await outcome.record(outcome.entry_for(attempt, answer, RetrySettings()))
