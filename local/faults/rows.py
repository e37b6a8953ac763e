"""Reads what the database says of all items."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any
from uuid import UUID

import asyncpg

from local.faults.story import Attempt, Event, Item, Move

ITEMS = """
SELECT q.id, q.method, q.channel, q.state, q.error_kind, q.attempt_id, q.cloned_from,
    COALESCE(q.result, '') AS result, COALESCE(s.origin_id, '') AS origin_id,
    EXTRACT(epoch FROM q.queued)::float8 AS queued
FROM queue_items q JOIN item_search s ON s.item_id = q.id ORDER BY q.queued, q.id
"""
ATTEMPTS = """
SELECT id, item_id, number, outcome, may_have_been_sent, report, COALESCE(text, '') AS text,
    EXTRACT(epoch FROM started_at)::float8 AS started, EXTRACT(epoch FROM ended_at)::float8 AS ended
FROM attempts ORDER BY number
"""
MOVES = """
SELECT item_id, transition, from_state, to_state, actor, attempt_id, COALESCE(text, '') AS text,
    EXTRACT(epoch FROM at)::float8 AS at FROM item_history ORDER BY id
"""
EVENTS = """
SELECT item_id, status, verdict, applied_at IS NOT NULL AS applied,
    EXTRACT(epoch FROM received_at)::float8 AS at
FROM delivery_events WHERE item_id IS NOT NULL ORDER BY received_at
"""
OPERATIONS = "SELECT count(*) FROM bulk_operations WHERE state = 'running'"
ITEMS_ON_THE_WAY = """
SELECT count(*) FROM queue_items
WHERE state IN ('queued', 'sending', 'delayed', 'awaiting') OR error_kind = 'publish_failed'
"""
EVENTS_TO_APPLY = "SELECT count(*) FROM delivery_events WHERE applied_at IS NULL"


async def count_restless(url: str) -> int:
    """How many items, events and operations are not where they can stay."""
    return await _count(url, ITEMS_ON_THE_WAY, EVENTS_TO_APPLY, OPERATIONS)


async def count_operations(url: str) -> int:
    """How many operations over filters have not ended."""
    return await _count(url, OPERATIONS)


async def _count(url: str, *statements: str) -> int:
    connection = await asyncpg.connect(url, timeout=5)
    try:
        return sum([int(await connection.fetchval(statement)) for statement in statements])
    finally:
        await connection.close()


async def read(url: str) -> list[Item]:
    """All items, the oldest first."""
    connection = await asyncpg.connect(url, timeout=5)
    try:
        belongings = {
            name: _by_item(await connection.fetch(sql))
            for name, sql in (("attempts", ATTEMPTS), ("moves", MOVES), ("events", EVENTS))
        }
        return [_item(row, belongings) for row in await connection.fetch(ITEMS)]
    finally:
        await connection.close()


def _by_item(rows: list[Any]) -> Mapping[UUID, list[Any]]:
    found: dict[UUID, list[Any]] = defaultdict(list)
    for row in rows:
        found[row["item_id"]].append(row)
    return found


def _item(row: Any, belongings: Mapping[str, Mapping[UUID, list[Any]]]) -> Item:
    def of(name: str) -> list[Any]:
        return belongings[name].get(row["id"], [])

    return Item(
        id=row["id"],
        method=row["method"],
        channel=row["channel"],
        state=row["state"],
        error_kind=row["error_kind"],
        attempt=row["attempt_id"],
        result=row["result"],
        copy_of=row["cloned_from"],
        order=row["origin_id"],
        queued=row["queued"],
        attempts=[_attempt(one) for one in of("attempts")],
        moves=[_move(one) for one in of("moves")],
        events=[
            Event(at=e["at"], status=e["status"], verdict=e["verdict"], applied=e["applied"])
            for e in of("events")
        ],
    )


def _attempt(row: Any) -> Attempt:
    return Attempt(
        id=row["id"],
        number=row["number"],
        started=row["started"],
        ended=row["ended"],
        outcome=row["outcome"],
        doubtful=row["may_have_been_sent"],
        report=row["report"],
        text=row["text"],
    )


def _move(row: Any) -> Move:
    return Move(
        transition=row["transition"],
        before=row["from_state"],
        after=row["to_state"],
        actor=row["actor"],
        at=row["at"],
        attempt=row["attempt_id"],
        text=row["text"],
    )
