"""Whatever a list is asked for, an index leads, and nothing is read from end to end.

Field report 74. How long it takes among a million items, `bin/bench api` measures.
"""

import re
import uuid
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
import pytest

from app.models import snapshots
from app.models.queries.browsing import belongings, gathering, walking
from app.models.queries.browsing.candidates import MOST
from app.models.queries.browsing.conditions import Parameters
from app.models.queries.browsing.items import ITEMS
from app.models.queries.browsing.leads import find_ways
from app.models.queries.browsing.page import BUDGET, SHORT
from app.models.queries.browsing.wanted import ALL_DONE, NOT_DONE, Key, Order, Wanted
from app.models.statements import Statements
from app.workflow import State
from bench.rows import fill
from tests.feature.conftest import database

__all__ = ["database"]

ROWS = 20_000
FEW = 200
NOW = datetime.now(UTC)
LONG_AGO = NOW - timedelta(days=30)
AFTER = Key(LONG_AGO, uuid.uuid7())
BIG = (
    "queue_items|item_search|item_tags|attempts|delivery_events|item_history|email_messages"
    "|sms_messages|email_receivers"
)

CRITERIA: dict[str, dict[str, Any]] = {
    "nothing": {},
    "method": {"method": "sms"},
    "receiver": {"receiver": "user5@mail5.example"},
    "origin": {"origin_type": "order", "origin_id": "42"},
    "origin type": {"origin_type": "refund"},
    "tag": {"tag": "receipt"},
    "tag of nothing": {"tag": "nothing"},
    "creator": {"created_by": "ops/desk"},
    "queued": {"queued_from": LONG_AGO, "queued_until": NOW},
    "text": {"text": "grace"},
    "text, tag and method": {"text": "grace", "tag": "launch", "method": "email"},
    "all": {
        "method": "email",
        "receiver": "user5@mail5.example",
        "origin_type": "order",
        "origin_id": "42",
        "tag": "receipt",
        "created_by": "shop/web",
        "queued_from": LONG_AGO,
        "queued_until": NOW,
        "text": "grace",
    },
}
OF_QUEUE: dict[str, dict[str, Any]] = {
    "state": {"states": (State.ERRORED,)},
    "states": {"states": (State.DELAYED, State.ERRORED)},
    "error kind": {"error_kind": "rejected"},
    "error kind and tag": {"error_kind": "rejected", "tag": "receipt"},
    "result": {"states": (State.ERRORED,), "text": "mailbox 207", "results": True},
}
OF_SENT: dict[str, dict[str, Any]] = {
    "state": {"states": (State.UNCONFIRMED,)},
    "finished": {"finished_from": LONG_AGO, "finished_until": NOW},
}


def lists() -> Iterator[tuple[str, Wanted, Order]]:
    """Everything that may be asked for, in each order that the list has."""
    for name, given in (CRITERIA | OF_QUEUE).items():
        for order in (Order.NEWEST, Order.OLDEST):
            yield f"queue by {name}", Wanted(**{"states": NOT_DONE, **given}), order
    for name, given in (CRITERIA | OF_SENT).items():
        for order in Order:
            yield f"sent by {name}", Wanted(**{"states": ALL_DONE, **given}), order


@pytest.fixture
async def connection(database: Statements) -> AsyncIterator[asyncpg.Connection]:
    await fill(database._dsn, ROWS, lambda _: None)
    connected = await asyncpg.connect(database._dsn)
    try:
        async with connected.transaction(isolation="repeatable_read", readonly=True):
            await connected.execute(snapshots.SETTINGS.format(5_000))
            yield connected
    finally:
        await connected.close()


def walks(wanted: Wanted, order: Order) -> Iterator[tuple[str, Parameters]]:
    for after in (None, AFTER):
        for leading in find_ways(wanted, order):
            for budget in (SHORT, BUDGET):
                walk = walking.plan_walk(wanted, leading, order, after, budget)
                yield walking.on_the_way(wanted, walk, 51)
                yield walking.end_of(wanted, walk)
                yield walking.counted(wanted, walk, MOST + 1)


def sorted_in(plan: str) -> list[int]:
    """How many rows each sort expects, but for those that sort what has the same moment."""
    return [int(n) for n in re.findall(r"(?<!Incremental )Sort  \(.*rows=(\d+)", plan)]


async def plan_of(connection: asyncpg.Connection, sql: str, values: list[Any]) -> str:
    rows = await connection.fetch(f"EXPLAIN {sql}", *values)
    return "\n".join(row[0] for row in rows)


async def test_a_walk_reads_an_index_in_its_order(connection: asyncpg.Connection) -> None:
    for name, wanted, order in lists():
        for sql, given in walks(wanted, order):
            plan = await plan_of(connection, sql, given.values)
            assert not re.findall(rf"Seq Scan on (?:{BIG})\b", plan), f"{name}, {order}:\n{plan}"
            assert all(n <= FEW for n in sorted_in(plan)), f"{name}, {order}:\n{plan}"
            assert "Hash" not in plan, f"{name}, {order}:\n{plan}"


async def test_gathering_begins_with_an_index_and_reaches_rows_by_key(
    connection: asyncpg.Connection,
) -> None:
    rare = {
        "provider's id": {"message_id": "msg-207"},
        "text": {"text": "user1234"},
        "text and tag": {"text": "user1234", "tag": "receipt"},
        "result": {"states": (State.ERRORED,), "text": "mailbox 1207", "results": True},
        "receiver by end": {"receiver": "user5@mail5.example"},
        "state by end": {"states": (State.UNCONFIRMED,)},
    }
    for name, given in rare.items():
        states = given.get("states", ALL_DONE)
        order = Order.LAST_FINISHED if states != (State.ERRORED,) else Order.NEWEST
        wanted = Wanted(**{"states": states, **given})
        for sql, values in (
            gathering.gathered(wanted, order, None, 51),
            gathering.gathered(wanted, order, AFTER, 51),
            gathering.counted(wanted),
        ):
            plan = await plan_of(connection, sql, values.values)
            assert not re.findall(rf"Seq Scan on (?:{BIG})\b", plan), f"{name}:\n{plan}"


async def test_items_and_what_belongs_to_them_are_reached_by_key(
    connection: asyncpg.Connection,
) -> None:
    ids = [row["id"] for row in await connection.fetch("SELECT id FROM queue_items LIMIT 3")]
    for sql, more in (
        (ITEMS, []),
        (belongings.EMAIL, [10_000]),
        (belongings.SMS, []),
        (belongings.ATTEMPTS, []),
        (belongings.EVENTS, [True]),
        (belongings.HISTORY, []),
        (belongings.ATTACHMENTS, []),
    ):
        plan = await plan_of(connection, sql, [ids, *more])
        assert not re.findall(rf"Seq Scan on (?:{BIG})\b", plan), plan
