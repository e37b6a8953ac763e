"""dispatch:retry, dispatch:cancel, dispatch:resend and dispatch:sweep, as a person uses them."""

import asyncio
import io
import signal
import uuid
from typing import Any

import pytest
from arvel.console import ConsoleOutput

from app.commands.answers import Answer
from app.commands.dispatch_cancel import DispatchCancel
from app.commands.dispatch_resend import DispatchResend
from app.commands.dispatch_retry import DispatchRetry
from app.commands.dispatch_sweep import DispatchSweep
from app.items import bulk_operations
from app.jobs.run_bulk_operation import ResumeBulkOperations
from app.models import statements
from app.models.queries.bulk_filter import Filter
from tests.fakes.items import put_item, raw, state_of
from tests.fakes.waiting import until
from tests.feature.operating.command_line import Said, arvel, start
from tests.feature.operating.conftest import Published
from tests.feature.operating.given import (
    bring_to,
    copies_of,
    count,
    email,
    fill,
    most_moves_by_one_decision,
)

SOME_ID = "01a22f12-3456-7890-8bcd-ef0123456789"


async def run(command: type[Answer], **given: Any) -> Said:
    """What a command says and its exit code, in this process."""
    out, err = io.StringIO(), io.StringIO()
    instance = command(ConsoleOutput(out, err))
    instance.bind_parsed(given)
    return Said(await instance.handle(), out.getvalue(), err.getvalue())


async def test_items_are_retried_cancelled_and_resent(published: Published) -> None:
    errored = await put_item("errored", error_kind="rejected")
    said = await arvel("dispatch:retry", errored.id)
    assert said == (0, f"{errored.id}  retried\n", "")
    said = await arvel("dispatch:cancel", errored.id)
    assert said == (0, f"{errored.id}  cancelled\n", "")
    succeeded = await put_item("succeeded")
    said = await arvel("dispatch:resend", succeeded.id)
    [copy] = await copies_of(succeeded.id)
    assert said == (0, f"{succeeded.id}  resent as {copy.id}\n", "")
    actors = await statements.run("SELECT DISTINCT actor FROM item_history")
    assert all(row["actor"].startswith("cli:") for row in actors)


async def test_each_refusal_is_a_line_with_its_reason(published: Published) -> None:
    errored = await put_item("errored", error_kind="rejected")
    done = await put_item("succeeded")
    unknown = await put_item("errored", error_kind="outcome_unknown")
    said = await arvel("dispatch:retry", errored.id, done.id, unknown.id, SOME_ID)
    assert said.code == 1
    assert said.out == f"{errored.id}  retried\n"
    assert [line.split("  ", 1) for line in said.err.splitlines()] == [
        [str(done.id), "not retried: An item that is succeeded can't be changed by retry."],
        [
            str(unknown.id),
            "not retried: It may have been sent already; confirm that you want this all the same."
            " Add --confirm.",
        ],
        [SOME_ID, f"not retried: There is no queue item {SOME_ID}."],
    ]
    assert (await arvel("dispatch:retry", unknown.id, "--confirm")).code == 0
    assert await state_of(unknown.id) == "queued"


async def test_a_dry_run_changes_nothing(published: Published) -> None:
    errored = await put_item("errored", error_kind="rejected")
    unknown = await put_item("errored", error_kind="outcome_unknown")
    said = await arvel("dispatch:cancel", errored.id, unknown.id, "--dry-run")
    assert said.code == 1
    assert said.out == f"{errored.id}  would be cancelled\n"
    assert "Add --confirm" in said.err
    counted = await arvel("dispatch:cancel", "--state", "errored", "--dry-run")
    assert counted.code == 0
    assert counted.out.splitlines() == [
        "1 of 2 that match would be cancelled.",
        "1 may have been sent already, and are skipped without --confirm.",
    ]
    assert await state_of(errored.id) == await state_of(unknown.id) == "errored"
    assert await count("bulk_operations") == 0


async def test_all_that_match_are_worked_off_with_a_line_each(published: Published) -> None:
    [anna] = await email(origin=("Order", 7))
    await bring_to("errored", anna.id, error_kind="rejected")
    other = await put_item("errored", error_kind="rejected")
    said = await arvel("dispatch:retry", "--all", "--origin", "Order:7", "--error-kind", "rejected")
    assert said == (0, f"{anna.id}  retried\n1 retried.\n", "")
    assert await state_of(other.id) == "errored"
    await put_item("errored", error_kind="outcome_unknown")
    said = await arvel("dispatch:cancel", "--all", "--state", "errored")
    assert said.code == 1
    assert "1 cancelled." in said.out
    assert "1 may have been sent already: see --confirm." in said.err


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"item": ["nonsense"]}, "ITEM must be an item's id"),
        ({}, "Name items by their ids, or say with --all"),
        ({"item": [SOME_ID], "all": True}, "but not both"),
        ({"item": [SOME_ID], "state": "errored"}, "but not both"),
        ({"state": "errored"}, "Add --all"),
        ({"state": "succeeded", "all": True}, "one of delayed, errored"),
        ({"error_kind": "nonsense", "all": True}, "error kind must be one of"),
        ({"method": "fax", "all": True}, "email or sms"),
        ({"queued_from": "yesterday", "all": True}, "--queued-from must be a time"),
        ({"queued_until": "2026-01-01T00:00:00", "all": True}, "zone"),
        ({"item": [str(uuid.uuid7()) for _ in range(1001)]}, "at most 1,000"),
    ],
)
async def test_what_can_not_be_understood_is_refused(
    published: Published, given: dict[str, Any], said: str
) -> None:
    answer = await run(DispatchRetry, **given)
    assert answer.code == 2
    assert said in answer.err
    assert await count("bulk_operations") == 0


@pytest.mark.parametrize("command", [DispatchRetry, DispatchCancel, DispatchResend])
async def test_nothing_that_matches_is_nothing_refused(
    published: Published, command: type[Answer]
) -> None:
    answer = await run(command, all=True)
    assert answer.code == 0
    assert answer.out.startswith("0 ")


async def test_files_that_are_gone_are_counted_and_named(published: Published) -> None:
    [item] = await email(attachments={"a.txt": b"content"})
    await bring_to("succeeded", item.id)
    await statements.run("UPDATE blobs SET removed_at = now()")
    counted = await run(DispatchResend, state="succeeded", dry_run=True)
    assert "0 of 1 that match would be resent." in counted.out
    assert "1 lost their attachments" in counted.out
    said = await run(DispatchResend, state="succeeded", all=True)
    assert said.code == 1
    assert f"{item.id}  not resent: Its attachments were cleaned away" in said.err
    assert "1 refused." in said.err


async def started() -> uuid.UUID | None:
    rows = await statements.run("SELECT id FROM bulk_operations WHERE done > 0")
    return rows[0]["id"] if rows else None


async def test_a_killed_command_is_finished_by_the_workers_and_nothing_is_done_twice(
    published: Published,
) -> None:
    await fill(6000)
    process = await start("dispatch:retry", "--all", "--state", "errored")
    await until(started, seconds=60)
    process.send_signal(signal.SIGKILL)
    await process.communicate()
    operation_id = await started()
    assert operation_id is not None
    operation = await bulk_operations.find(operation_id)
    assert operation is not None
    assert operation.running
    await statements.run("UPDATE bulk_operations SET last_updated = now() - interval '2 min'")
    assert await ResumeBulkOperations().handle()
    worker = await arvel("queue:work", "--queue", "bulk", "--stop-when-empty")
    assert worker.code == 0
    finished = await bulk_operations.find(operation_id)
    assert finished is not None
    assert (finished.state, finished.done) == ("finished", 6000)
    assert await most_moves_by_one_decision() == 1


async def test_an_interrupt_stops_the_operation(published: Published) -> None:
    await fill(6000)
    process = await start("dispatch:retry", "--all", "--state", "errored")
    await until(started, seconds=60)
    process.send_signal(signal.SIGINT)
    _, err = await process.communicate()
    assert process.returncode != 0
    assert "Stopped. What was done stays done." in err.decode()
    operation_id = await started()
    assert operation_id is not None
    operation = await bulk_operations.find(operation_id)
    assert operation is not None
    assert operation.state == "cancelled"
    assert await count("queue_items", "state = 'errored'") == 6000 - operation.done > 0


async def test_an_operation_that_somebody_else_stops_says_by_whom(published: Published) -> None:
    await fill(501)
    operation = await bulk_operations.start("retry", Filter(state="errored"), "operator:1")
    said = asyncio.create_task(run(DispatchRetry, state="errored", all=True))
    await until(started)
    stopped = await bulk_operations.stop(operation.id, "operator:2")
    answer = await said
    if stopped:
        assert answer.code == 1
        assert "Stopped by operator:2." in answer.err
    else:
        assert answer.code == 0


async def test_a_sweep_says_what_it_found(published: Published) -> None:
    assert (await arvel("dispatch:sweep")).out == "Nothing was dropped.\n"
    await put_item("sending", lease_until=raw("now() - interval '6 s'"))
    await put_item("queued", attempts=0, expires_at=raw("now() - interval '1 s'"))
    said = await run(DispatchSweep)
    assert said.code == 0
    assert "1  attempts settled whose worker had died" in said.out
    assert "1  cancelled, because they had expired" in said.out
