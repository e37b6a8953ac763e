"""Many items by one statement: each has its own guard, and none waits for another one's lock."""

import asyncio
import contextlib
import os
import uuid
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

import asyncpg

from app.models import statements
from app.models.queries import claim as claiming
from app.models.queries import record as recording
from app.models.queries.record import Entry, Letter
from app.models.statements import Statements
from tests.fakes.items import history_of, put_item, see, state_of
from tests.fakes.waiting import patience
from tests.races.held import begin


def claim(item: uuid.UUID, key: uuid.UUID | None = None) -> Any:
    return claiming.claim(item, key or uuid.uuid7(), 40.0, "worker")


def entry(item: Any, outcome: str, transition: str, **more: Any) -> Entry:
    return Entry(
        item_id=item.id,
        attempt_id=item.attempt,
        outcome=outcome,
        transition=transition,
        text=f"It was {outcome}.",
        actor="worker",
        **more,
    )


async def test_each_gets_what_it_asked_for(database: Statements) -> None:
    free = [await put_item("queued", attempts=0) for _ in range(5)]
    taken = [await put_item("awaiting") for _ in range(3)]
    missing = uuid.uuid7()
    keys = {item.id: uuid.uuid7() for item in free}
    rows = await asyncio.gather(
        *(claim(item.id, keys[item.id]) for item in free),
        *(claim(item.id) for item in taken),
        claim(missing),
    )
    assert [(row["id"], row["attempt_id"]) for row in rows[:5]] == list(keys.items())
    assert rows[5:] == [None] * 4
    assert await history_of(free[0].id) == [("send", "queued", "sending")]


async def test_one_item_is_claimed_once_however_many_ask(database: Statements) -> None:
    item = await put_item("queued", attempts=0)
    rows = await asyncio.gather(*(claim(item.id) for _ in range(20)))
    assert Counter(row is not None for row in rows) == {False: 19, True: 1}
    assert (await see(item.id))["attempts"] == 1


async def test_an_item_that_somebody_holds_keeps_no_other_one_waiting(
    database: Statements,
) -> None:
    held, free = await put_item("queued", attempts=0), await put_item("queued", attempts=0)

    async with holding(held.id):
        slow = [await begin(claim(held.id))]
        slow += [asyncio.create_task(claim(held.id)) for _ in range(5)]
        async with asyncio.timeout(patience(5)):
            assert await claim(free.id) is not None
        assert not any(task.done() for task in slow)
    assert Counter(row is not None for row in await asyncio.gather(*slow)) == {False: 5, True: 1}


@contextlib.asynccontextmanager
async def holding(item: uuid.UUID) -> AsyncIterator[None]:
    """Somebody else's transaction that has the row."""
    connection = await asyncpg.connect(os.environ["DATABASE_URL"].replace("+asyncpg", ""))
    try:
        async with connection.transaction():
            await connection.execute("SELECT FROM queue_items WHERE id = $1 FOR UPDATE", item)
            yield
    finally:
        await connection.close()


async def test_each_outcome_is_written_for_its_own_item(database: Statements) -> None:
    one, two, three = [await put_item("sending") for _ in range(3)]
    letter = Letter(uuid.uuid7(), "{}")
    rows = await asyncio.gather(
        recording.record(entry(one, "accepted", "await", message_id="m-1", said="in_flight")),
        recording.record(entry(two, "try_later", "delay", delay=30.0)),
        recording.record(entry(three, "rejected", "error", error_kind="rejected", letter=letter)),
    )
    assert [row["after"] for row in rows if row] == ["awaiting", "delayed", "errored"]
    first, second, third = [await see(item.id) for item in (one, two, three)]
    assert (first["message_id"], first["result"]) == ("m-1", "It was accepted.")
    assert (second["retries"], second["retry_delay"]) == (1, 30.0)
    assert (third["error_kind"], third["result"]) == ("rejected", "It was rejected.")
    letters = await statements.run("SELECT id, exception FROM failed_jobs")
    assert [tuple(row.values()) for row in letters] == [(letter.id, "It was rejected.")]


async def test_an_id_that_is_taken_spoils_the_record_of_no_other_item(
    database: Statements,
) -> None:
    one, two, three = [await put_item("sending") for _ in range(3)]
    await asyncio.gather(
        *(
            recording.record(entry(item, "accepted", "await", message_id=name, said="in_flight"))
            for item, name in ((one, "same"), (two, "same"), (three, "other"))
        )
    )
    assert [await state_of(item.id) for item in (one, two, three)] == ["awaiting"] * 3
    names = Counter([(await see(item.id))["message_id"] for item in (one, two, three)])
    assert names == {"same": 1, None: 1, "other": 1}
