"""Whatever happens at the same time, one wins, and the books agree with the state."""

import asyncio
import uuid

from app.items import evidence, rescue
from app.models import statements
from app.models.queries import claim as claiming
from app.models.queries import operate, publish
from app.models.statements import Statements
from app.transports.contract import Accepted
from tests.fakes.facts import record
from tests.fakes.items import event, history_of, letters_of, put_item, raw, see, state_of
from tests.fakes.transports import find_nothing


async def claim(item: uuid.UUID) -> bool:
    return await claiming.claim(item, uuid.uuid7(), 40.0, "worker") is not None


async def test_fifty_claims_at_once_have_one_winner_two_hundred_times(
    database: Statements,
) -> None:
    """Field report 24: several workers took the same rows and sent them dozens of times."""
    for _ in range(200):
        item = await put_item("queued", attempts=0)
        won = await asyncio.gather(*(claim(item.id) for _ in range(50)))
        assert sum(won) == 1
        rows = await statements.run(
            "SELECT count(*) AS n FROM attempts WHERE item_id = $1", item.id
        )
        assert rows[0]["n"] == 1
        assert await history_of(item.id) == [("send", "queued", "sending")]


async def test_a_failed_publish_never_errors_an_item_that_was_claimed(
    database: Statements,
) -> None:
    for _ in range(60):
        item = await put_item("queued", attempts=0)
        dispatched = (await see(item.id))["dispatched_at"]
        failed, won = await asyncio.gather(
            publish.fail([(item.id, dispatched)], "no broker", "publish"), claim(item.id)
        )
        assert bool(failed) != won
        assert await state_of(item.id) == ("sending" if won else "errored")


async def test_an_event_and_the_record_at_once_end_as_one_after_the_other(
    database: Statements,
) -> None:
    for said, state in (("delivered", "succeeded"), ("failed", "errored")):
        for _ in range(40):
            item = await put_item("sending")
            (event_id,) = await evidence.store("sandbox", [event(said, item.attempt)])
            await asyncio.gather(
                evidence.apply(event_id), record(item, Accepted(f"message of {item.id}"))
            )
            assert await state_of(item.id) == state


async def test_a_cancel_and_a_claim_at_once_have_one_winner(database: Statements) -> None:
    for _ in range(60):
        item = await put_item("queued", attempts=0)
        answer, won = await asyncio.gather(
            operate.cancel(item.id, "operator", confirm=False, dry_run=False), claim(item.id)
        )
        assert answer is not None
        assert answer.moved != won
        assert await state_of(item.id) == ("sending" if won else "cancelled")


async def test_a_retry_and_a_late_delivery_at_once_leave_nothing_to_send(
    database: Statements,
) -> None:
    """Whoever is first: the delivery stops the planned send, or there is nothing to retry."""
    for _ in range(60):
        item = await put_item("errored", error_kind="outcome_unknown")
        (event_id,) = await evidence.store("sandbox", [event("delivered", item.attempt)])
        answer, _ = await asyncio.gather(
            operate.retry(item.id, "operator", confirm=True, dry_run=False),
            evidence.apply(event_id),
        )
        assert answer is not None
        assert await state_of(item.id) == "succeeded"
        moves = [("retry", "errored", "queued"), ("succeed", "queued", "succeeded")]
        assert await history_of(item.id) == (
            moves if answer.moved else [("succeed", "errored", "succeeded")]
        )


async def test_a_retry_and_a_rescue_at_once_leave_one_attempt_unknown(
    database: Statements,
) -> None:
    for _ in range(60):
        item = await put_item("sending", lease_until=raw("now() - interval '1 min'"))
        answer, _ = await asyncio.gather(
            operate.retry(item.id, "operator", confirm=True, dry_run=False),
            rescue.rescue(find_nothing, 10),
        )
        assert answer is not None
        rescued = [("error", "sending", "errored")]
        retried = [("retry", "errored", "queued")] if answer.moved else []
        assert await history_of(item.id) == rescued + retried
        assert await letters_of(item.id) == (0 if answer.moved else 1)


async def test_a_claim_and_a_delivery_of_the_last_attempt_at_once_agree(
    database: Statements,
) -> None:
    for _ in range(60):
        item = await put_item("delayed")
        (event_id,) = await evidence.store("sandbox", [event("delivered", item.attempt)])
        won, _ = await asyncio.gather(claim(item.id), evidence.apply(event_id))
        row = await see(item.id)
        assert row["state"] == ("sending" if won else "succeeded")
        assert row["earlier_delivered"] == won


async def test_a_cancel_and_a_rescue_at_once_agree(database: Statements) -> None:
    for _ in range(60):
        item = await put_item("sending", lease_until=raw("now() - interval '1 min'"))
        answer, _ = await asyncio.gather(
            operate.cancel(item.id, "operator", confirm=True, dry_run=False),
            rescue.rescue(find_nothing, 10),
        )
        assert answer is not None
        assert await state_of(item.id) == ("cancelled" if answer.moved else "errored")


async def test_two_retries_at_once_queue_the_item_once(database: Statements) -> None:
    for _ in range(40):
        item = await put_item("errored", error_kind="rejected")
        answers = await asyncio.gather(
            *(operate.retry(item.id, "operator", confirm=False, dry_run=False) for _ in range(8))
        )
        assert sum(a is not None and a.moved for a in answers) == 1
        assert await history_of(item.id) == [("retry", "errored", "queued")]


async def test_two_events_and_a_timeout_at_once_leave_the_highest_rank(
    database: Statements,
) -> None:
    from tests.fakes.facts import time_out

    for _ in range(40):
        item = await put_item("awaiting", method="sms")
        ids = [
            event_id
            for said in ("failed", "delivered")
            for event_id in await evidence.store("sandbox", [event(said, item.attempt)])
        ]
        await asyncio.gather(*(evidence.apply(i) for i in ids), time_out(item))
        assert await state_of(item.id) == "succeeded"


async def test_two_sweeps_at_once_take_each_item_once(database: Statements) -> None:
    for _ in range(30):
        await put_item("delayed", current=False)
    await statements.run("UPDATE queue_items SET dispatched_at = NULL")
    pages = await asyncio.gather(*(publish.take_due(10) for _ in range(6)))
    taken = [due.item_id for page, _ in pages for due in page]
    assert len(taken) == len(set(taken)) == 30
