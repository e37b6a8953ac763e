"""Operators, workers and each other's operations at the same time: one wins, and nothing twice."""

import asyncio
import uuid
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.items import bulk_operations, cancel_all, resend_all, retry_all
from app.items.bulk import decide_all
from app.jobs.run_bulk_operation import RunBulkOperation
from app.models import statements
from app.models.queries import claim
from app.models.queries.bulk_filter import Filter
from app.models.queries.operate import Decision
from tests.fakes.items import history_of, put_item, state_of
from tests.feature.operating.conftest import Published
from tests.feature.operating.given import count, fill, most_moves_by_one_decision


async def errored_ids() -> list[uuid.UUID]:
    rows = await statements.run("SELECT id FROM queue_items WHERE state = 'errored'")
    return [row["id"] for row in rows]


async def moves() -> list[int]:
    """How often each item was moved."""
    rows = await statements.run("SELECT count(*) AS n FROM item_history GROUP BY item_id")
    return [row["n"] for row in rows]


async def test_two_operators_in_opposite_orders_wait_for_each_other(published: Published) -> None:
    for _ in range(5):
        await fill(200)
        ids = await errored_ids()
        retried, again = await asyncio.gather(
            retry_all(ids, "operator:1"), retry_all(ids[::-1], "operator:2")
        )
        won = Counter(v.item_id for v in [*retried, *again] if v.applied)
        assert won == Counter(ids)
    assert set(await moves()) == {1}


async def test_a_retry_and_a_cancel_of_the_same_items_at_once_agree_with_the_states(
    published: Published,
) -> None:
    await fill(300)
    ids = await errored_ids()
    retried, cancelled = await asyncio.gather(
        retry_all(ids, "operator:1"), cancel_all(ids[::-1], "operator:2")
    )
    for verdict in cancelled:
        assert verdict.applied  # from errored, or from queued after the retry
    for verdict in retried:
        history = [move[0] for move in await history_of(verdict.item_id)]
        assert history == (["retry", "cancel"] if verdict.applied else ["cancel"])
        assert await state_of(verdict.item_id) == "cancelled"


async def test_two_bulk_operations_on_the_same_items_move_each_once(published: Published) -> None:
    await fill(1100)
    wanted = Filter(state="errored")
    operations = [
        await bulk_operations.start(action, wanted, "operator:1") for action in ("retry", "cancel")
    ]
    jobs = [RunBulkOperation(str(operation.id)) for operation in operations]
    for _ in range(4):
        await asyncio.gather(*(job.handle() for job in jobs))
    finished = [await bulk_operations.find(operation.id) for operation in operations]
    assert [operation.state for operation in finished if operation] == ["finished", "finished"]
    done = sum(operation.done for operation in finished if operation)
    seen = sum(operation.done + operation.refused + operation.changed for operation in finished)
    assert done == await count("queue_items", "state IN ('queued', 'cancelled')") - 1 == 1100
    assert seen == 2200
    assert set(await moves()) == {1}


async def test_a_bulk_retry_among_claims_starts_no_second_attempt(published: Published) -> None:
    """Failure point 13: an item that waits for its next try, while its job runs."""
    for _ in range(5):
        items = [await put_item("delayed", attempts=0) for _ in range(40)]
        ids = [item.id for item in items]
        claims = (claim.claim(item_id, uuid.uuid7(), 40.0, "worker") for item_id in ids * 2)
        verdicts, *_ = await asyncio.gather(retry_all(ids, "operator:1"), *claims)
        for verdict in verdicts:
            assert await state_of(verdict.item_id) == "sending"
            history = [move[0] for move in await history_of(verdict.item_id)]
            assert history == (["retry", "send"] if verdict.applied else ["send"])
    assert await count("attempts") == 200


async def test_two_resends_at_once_are_two_decisions_and_a_repeated_one_is_one(
    published: Published,
) -> None:
    items = [await put_item("succeeded") for _ in range(20)]
    ids = [item.id for item in items]
    await asyncio.gather(resend_all(ids, "operator:1"), resend_all(ids[::-1], "operator:2"))
    assert await count("queue_items", "cloned_from IS NOT NULL") == 40
    assert await most_moves_by_one_decision() == 1


STEPS = st.lists(
    st.sampled_from(["page", "page twice", "ask again", "error", "claim", "stop"]),
    min_size=1,
    max_size=8,
)


@pytest.mark.parametrize("action", ["retry", "resend"])
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(steps=STEPS)
async def test_nothing_is_queued_twice_by_one_decision(
    published: Published, action: str, steps: list[str]
) -> None:
    """Whatever is repeated, lost, stopped or moved in between."""
    state = "errored" if action == "retry" else "succeeded"
    for table in ("bulk_operation_items", "bulk_operations", "item_history"):
        await statements.run(f"DELETE FROM {table}")
    items = [await put_item(state, error_kind="rejected") for _ in range(4)]
    ids = [item.id for item in items]
    operation = await bulk_operations.start(action, Filter(state=state), "operator:1")
    decision = Decision("operator:2")
    for step in steps:
        match step:
            case "page":
                await bulk_operations.work_page(operation.id)
            case "page twice":
                await asyncio.gather(*(bulk_operations.work_page(operation.id) for _ in range(2)))
            case "ask again" if action == "retry":
                await decide_all(action, ids, decision)
            case "error":
                await statements.run(
                    "UPDATE queue_items SET state = 'errored', error_kind = 'rejected',"
                    " finished_at = NULL WHERE state = 'queued'"
                )
            case "claim":
                await claim.claim(ids[0], uuid.uuid7(), 40.0, "worker")
            case _:
                await bulk_operations.stop(operation.id, "operator:3")
    assert await most_moves_by_one_decision() <= 1
