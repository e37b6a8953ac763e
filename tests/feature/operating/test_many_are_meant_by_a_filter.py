"""Bulk operations: counted first, worked off in pages, done once however often they are asked."""

import asyncio
import uuid
from typing import Any

import pytest
from arvel.kernel import Application

from app.items import bulk_operations
from app.jobs.run_bulk_operation import ResumeBulkOperations, RunBulkOperation
from app.models import statements
from app.models.queries.bulk_filter import Filter
from tests.fakes.items import put_item, state_of
from tests.feature.operating.command_line import arvel
from tests.feature.operating.conftest import Published, Workers
from tests.feature.operating.given import (
    bring_to,
    copies_of,
    count,
    email,
    fill,
    letters,
    most_moves_by_one_decision,
    put_letter,
    results_of,
    work_off,
)

ERRORED = Filter(state="errored")
OPERATOR = "operator:1"


async def test_everything_that_matches_is_worked_off_in_pages_with_a_result_each(
    workers: Workers, published: Published
) -> None:
    await fill(1200)
    unknown = await put_item("errored", error_kind="outcome_unknown")
    operation = await bulk_operations.start("retry", ERRORED, OPERATOR)
    assert workers.asked == [operation.id]
    pages = [await bulk_operations.work_page(operation.id) for _ in range(4)]
    assert [page.done + page.unknown if page else None for page in pages] == [500, 1000, 1201, None]
    finished = await bulk_operations.find(operation.id)
    assert finished is not None
    assert (finished.state, finished.done, finished.unknown) == ("finished", 1200, 1)
    assert await count("bulk_operation_items", "result = 'done'") == 1200
    [skipped] = await bulk_operations.list_results(operation.id, result="unknown")
    assert (skipped.item_id, skipped.state) == (unknown.id, "errored")
    assert len(published.ids) == len(set(published.ids)) == 1201


async def test_pressing_twice_does_not_double(workers: Workers) -> None:
    """Field report 76."""
    items = [await put_item("succeeded") for _ in range(3)]
    wanted = Filter(state="succeeded")
    first, second = await asyncio.gather(
        *(bulk_operations.start("resend", wanted, OPERATOR) for _ in range(2))
    )
    assert first.id == second.id
    assert workers.asked == [first.id]
    await work_off(first)
    again = await bulk_operations.start("resend", wanted, OPERATOR, operation_id=first.id)
    assert (again.id, again.state) == (first.id, "finished")
    for item in items:
        assert len(await copies_of(item.id)) == 1


async def test_thousands_of_items_are_retried_once_though_it_was_pressed_twice(
    workers: Workers, published: Published
) -> None:
    """Field report 76."""
    await fill(5_000)
    published.ids.clear()
    pressed = [await bulk_operations.start("retry", ERRORED, OPERATOR) for _ in range(2)]
    assert pressed[0].id == pressed[1].id
    assert pressed[0].total == 5_000
    half = await bulk_operations.work_page(pressed[0].id)
    assert half is not None
    assert (half.done, half.state) == (500, "running")
    finished = await work_off(half)
    assert (finished.done, finished.changed) == (5_000, 0)
    assert len(published.ids) == len(set(published.ids)) == 5_000
    assert await most_moves_by_one_decision() == 1


async def test_another_decision_is_another_operation(workers: Workers) -> None:
    await put_item("errored", error_kind="outcome_unknown")
    first = await bulk_operations.start("retry", ERRORED, OPERATOR)
    for another in (
        await bulk_operations.start("retry", ERRORED, OPERATOR, confirm=True),
        await bulk_operations.start("cancel", ERRORED, OPERATOR),
        await bulk_operations.start("retry", Filter(method="sms"), OPERATOR),
    ):
        assert another.id != first.id


async def test_an_id_that_stands_for_something_else_is_refused(workers: Workers) -> None:
    first = await bulk_operations.start("retry", ERRORED, OPERATOR)
    with pytest.raises(ValueError, match="another operation"):
        await bulk_operations.start("cancel", ERRORED, OPERATOR, operation_id=first.id)


async def test_a_page_that_is_redelivered_three_times_is_worked_off_once(
    published: Published, application: Application
) -> None:
    """Every copy of the message at once, and again after the end."""
    await fill(1100)
    operation = await bulk_operations.start("retry", ERRORED, OPERATOR)
    job = RunBulkOperation(str(operation.id))
    for _ in range(4):
        await asyncio.gather(*(job.handle() for _ in range(3)))
    finished = await bulk_operations.find(operation.id)
    assert finished is not None
    assert (finished.state, finished.done) == ("finished", 1100)
    assert await most_moves_by_one_decision() == 1
    assert len(published.ids) == len(set(published.ids))


async def test_what_is_rolled_back_is_done_again_by_the_next_run(
    workers: Workers, published: Published, monkeypatch: pytest.MonkeyPatch
) -> None:
    await fill(600)
    published.ids.clear()
    operation = await bulk_operations.start("retry", ERRORED, OPERATOR)

    async def fail(*_: object, **__: object) -> None:
        raise ConnectionError

    with monkeypatch.context() as broken:
        broken.setattr(bulk_operations.queries, "advance", fail)
        with pytest.raises(ConnectionError):
            await bulk_operations.work_page(operation.id)
    assert (await count("queue_items", "state = 'errored'"), published.ids) == (600, [])
    assert (await work_off(operation)).done == 600
    assert await most_moves_by_one_decision() == 1


async def test_a_stopped_operation_leaves_the_rest_as_it_is(workers: Workers) -> None:
    await fill(700)
    operation = await bulk_operations.start("retry", ERRORED, OPERATOR)
    await bulk_operations.work_page(operation.id)
    assert await bulk_operations.stop(operation.id, "operator:2")
    assert not await bulk_operations.stop(operation.id, "operator:2")
    assert await bulk_operations.work_page(operation.id) is None
    stopped = await bulk_operations.find(operation.id)
    assert stopped is not None
    assert (stopped.state, stopped.done, stopped.cancelled_by) == ("cancelled", 500, "operator:2")
    assert await count("queue_items", "state = 'errored'") == 200


async def test_what_changed_by_itself_meanwhile_is_left_alone_and_counted(
    workers: Workers,
) -> None:
    touched, other = [await put_item("errored", error_kind="rejected") for _ in range(2)]
    operation = await bulk_operations.start("cancel", ERRORED, OPERATOR)
    await statements.run(
        "UPDATE queue_items SET last_updated = statement_timestamp() WHERE id = $1", touched.id
    )
    newer = await put_item("errored", error_kind="rejected")
    finished = await work_off(operation)
    assert (finished.done, finished.changed) == (1, 1)
    assert await results_of(finished) == {other.id: "done"}
    assert await state_of(touched.id) == await state_of(newer.id) == "errored"


async def test_copies_are_not_copied_by_the_operation_that_makes_them(workers: Workers) -> None:
    await fill(501, "cancelled", None)
    operation = await bulk_operations.start("resend", Filter(state="cancelled"), OPERATOR)
    await bulk_operations.work_page(operation.id)
    await statements.run(
        "UPDATE queue_items SET state = 'cancelled', finished_at = now() WHERE state = 'queued'"
    )
    finished = await work_off(operation)
    assert finished.done == finished.total == 501
    assert await count("queue_items", "cloned_from IS NOT NULL") == 501


async def test_dead_letters_go_with_their_items(workers: Workers) -> None:
    item = await put_item("errored", error_kind="retries_exhausted")
    await put_letter(item.id, item.attempt)
    await work_off(await bulk_operations.start("cancel", ERRORED, OPERATOR))
    assert await letters() == []


async def test_an_operation_whose_message_was_lost_is_taken_up_again(
    published: Published, redis_url: str
) -> None:
    from redis.asyncio import Redis

    await fill(3)
    operation = await bulk_operations.start("retry", ERRORED, OPERATOR)
    async with Redis.from_url(redis_url) as redis:
        await redis.flushdb()
        assert not await ResumeBulkOperations().handle()
        await statements.run(
            "UPDATE bulk_operations SET last_updated = now() - interval '61 s' WHERE id = $1",
            operation.id,
        )
        assert await ResumeBulkOperations().handle()
        assert await redis.xlen("pillarbox:queue:bulk") == 1
        assert not await ResumeBulkOperations().handle()


async def test_an_operation_while_the_broker_is_away_is_stored_all_the_same(
    published: Published, services: Any
) -> None:
    await fill(3)
    services.valkey.stop()
    operation = await bulk_operations.start("retry", ERRORED, OPERATOR)
    assert operation.running


async def test_workers_do_it_and_send_what_they_retried(application: Application) -> None:
    items = [(await email())[0] for _ in range(3)]
    await bring_to("errored", *(item.id for item in items), error_kind="rejected")
    operation = await bulk_operations.start("retry", ERRORED, OPERATOR)
    said = await arvel("queue:work", "--stop-when-empty")
    assert said.code == 0, said.err
    finished = await bulk_operations.find(operation.id)
    assert finished is not None
    assert (finished.state, finished.done) == ("finished", 3)
    assert await count("attempts", "outcome = 'accepted'") == 3


async def test_an_operation_that_is_not_there_is_nobody_s_work(workers: Workers) -> None:
    assert await bulk_operations.find(uuid.uuid7()) is None
    assert await bulk_operations.work_page(uuid.uuid7()) is None
