"""One run of SendMessage: claim, transmit, record, and what goes to the dead letters."""

import asyncio
import json
import uuid
from typing import Any

import pytest

from app.items import outcome
from app.jobs.send_message import SendMessage
from app.jobs.transmission import Lease
from app.models import statements
from app.transports import channels
from app.transports.contract import (
    Accepted,
    Go,
    LeaseOver,
    NotSent,
    Outcome,
    Rejected,
    TryLater,
    Unknown,
)
from tests.fakes.items import history_of, letters_of, put_item, see, state_of
from tests.fakes.transports import Message, Scripted, scripted_channels
from tests.fakes.waiting import until


@pytest.fixture
async def transport(application: Any) -> Scripted:
    scripted = Scripted()
    channels.use(scripted_channels(scripted))
    return scripted


async def run(application: Any, item: uuid.UUID) -> None:
    """Run the job as a worker does: with its middleware, its tries and its dead letter."""
    await application.make("queue")._worker._invoke(SendMessage(str(item)))


async def test_a_queued_item_is_sent_and_awaits_its_report(
    application: Any, transport: Scripted
) -> None:
    item = await put_item("queued", attempts=0)
    await run(application, item.id)
    assert await state_of(item.id) == "awaiting"
    assert await history_of(item.id) == [
        ("send", "queued", "sending"),
        ("await", "sending", "awaiting"),
    ]
    (sent,) = transport.sent
    assert sent.item_id == item.id
    assert (await see(item.id))["message_id"] == f"message of {sent.attempt_id}"


async def test_the_same_message_five_times_is_sent_once(
    application: Any, transport: Scripted
) -> None:
    """Field report 1."""
    item = await put_item("queued", attempts=0)
    await asyncio.gather(*(run(application, item.id) for _ in range(5)))
    assert len(transport.sent) == 1
    assert (await see(item.id))["attempts"] == 1


@pytest.mark.parametrize("state", ["sending", "awaiting", "succeeded", "cancelled", "errored"])
async def test_a_hint_for_an_item_that_is_not_to_be_sent_does_nothing(
    application: Any, transport: Scripted, state: str
) -> None:
    item = await put_item(state)
    await run(application, item.id)
    assert transport.sent == []
    assert await state_of(item.id) == state


async def test_a_hint_for_an_item_that_is_not_there_does_nothing(
    application: Any, transport: Scripted
) -> None:
    await run(application, uuid.uuid7())
    assert transport.sent == []


def answering(result: Outcome, *, transmits: bool = True) -> Any:
    async def behave(_: Message, go: Go) -> Outcome:
        if transmits:
            go()
        return result

    return behave


@pytest.mark.parametrize(
    ("result", "letters"),
    [(Rejected("no"), 0), (Unknown("?"), 0), (NotSent("down"), 0), (TryLater("busy"), 0)],
)
async def test_an_outcome_that_was_recorded_is_no_dead_letter(
    application: Any, transport: Scripted, result: Outcome, letters: int
) -> None:
    transport.behaviour = answering(result)
    item = await put_item("queued", attempts=0)
    await run(application, item.id)
    assert await letters_of(item.id) == letters


async def test_retries_that_run_out_leave_a_dead_letter(
    application: Any, transport: Scripted
) -> None:
    transport.behaviour = answering(TryLater("still busy", "451"))
    item = await put_item("queued", attempts=0, retries=12)
    await run(application, item.id)
    row = await see(item.id)
    assert (row["state"], row["error_kind"]) == ("errored", "retries_exhausted")
    assert "still busy" in row["result"]
    assert await letters_of(item.id) == 1


@pytest.mark.parametrize(("transmits", "error"), [(False, "unforeseen"), (True, "outcome_unknown")])
async def test_an_unforeseen_failure_is_known_by_whether_bytes_went_out(
    application: Any, transport: Scripted, transmits: bool, error: str
) -> None:
    async def fail(_: Message, go: Go) -> Outcome:
        if transmits:
            go()
        raise RuntimeError("secret body someone@example.com")

    transport.behaviour = fail
    item = await put_item("queued", attempts=0)
    await run(application, item.id)
    row = await see(item.id)
    assert (row["state"], row["error_kind"]) == ("errored", error)
    assert "secret" not in row["result"]


async def test_an_unforeseen_failure_before_the_transmission_is_a_dead_letter(
    application: Any, transport: Scripted
) -> None:
    async def fail(_: Message, __: Go) -> Outcome:
        raise RuntimeError

    transport.behaviour = fail
    item = await put_item("queued", attempts=0)
    await run(application, item.id)
    assert await letters_of(item.id) == 1


async def test_a_dead_letter_carries_ids_and_nothing_else(
    application: Any, transport: Scripted
) -> None:
    transport.behaviour = answering(TryLater("busy"))
    item = await put_item("queued", attempts=0, retries=12)
    await run(application, item.id)
    rows = await statements.run("SELECT payload, exception FROM failed_jobs")
    payload = json.loads(rows[0]["payload"])
    assert payload["job"] == "app.jobs.send_message:SendMessage"
    assert set(payload["state"]) == {"item_id", "attempt_id"}
    assert "someone@example.com" not in rows[0]["payload"] + rows[0]["exception"]


async def test_a_report_before_the_answer_is_not_moved_back(
    application: Any, transport: Scripted
) -> None:
    """Field report 27: delivered is reported from inside the call."""
    from app.items import evidence
    from tests.fakes.items import event

    async def report_first(message: Message, go: Go) -> Outcome:
        go()
        for event_id in await evidence.store("sandbox", [event("delivered", message.attempt_id)]):
            await evidence.apply(event_id)
        return Accepted("m-27")

    transport.behaviour = report_first
    item = await put_item("queued", attempts=0)
    await run(application, item.id)
    row = await see(item.id)
    assert (row["state"], row["message_id"]) == ("succeeded", "m-27")


def test_a_lease_is_obeyed_by_a_clock_that_runs_on_while_the_worker_is_stopped() -> None:
    now = 100.0
    lease = Lease(8.0, started=now, clock=lambda: now)
    lease.go()
    assert lease.used
    now = 108.0
    with pytest.raises(LeaseOver):
        lease.go()


async def test_a_worker_that_slept_over_its_lease_sends_nothing(
    application: Any, transport: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    from app.jobs import send_message

    monkeypatch.setattr(send_message, "boot_time", lambda: -1_000_000.0)
    item = await put_item("queued", attempts=0)
    await run(application, item.id)
    assert transport.sent == []
    row = await see(item.id)
    assert (row["state"], row["retries"]) == ("delayed", 0)


async def test_a_job_that_is_cut_off_does_not_part_the_call_from_its_record(
    application: Any, transport: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered = asyncio.Event()

    async def slow(message: Message, go: Go) -> Outcome:
        go()
        await answered.wait()
        return Accepted("m-late")

    monkeypatch.setattr(SendMessage, "timeout", 0.2)
    transport.behaviour = slow
    item = await put_item("queued", attempts=0)
    await run(application, item.id)
    assert await state_of(item.id) == "sending"
    answered.set()

    async def is_recorded() -> bool:
        return await state_of(item.id) == "awaiting"

    await until(is_recorded)


async def test_a_known_outcome_is_recorded_once_the_database_is_back(
    application: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from app.models.queries import record as queries
    from tests.fakes.facts import attempt_of

    item = await put_item("sending")
    real, refused = queries.record, iter([True, True, False])

    async def flaky(entry: Any) -> Any:
        if next(refused):
            raise ConnectionRefusedError
        return await real(entry)

    monkeypatch.setattr(outcome.queries, "record", flaky)
    entry = outcome.entry_for(attempt_of(item), Accepted("m"), outcome.RetrySettings())
    await outcome.record(entry)
    assert await state_of(item.id) == "awaiting"


async def test_an_outcome_that_could_not_be_recorded_is_kept_in_a_file_without_its_text(
    application: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from pathlib import Path

    from app.settings import DispatchSettings
    from tests.fakes.facts import attempt_of

    item = await put_item("sending")

    async def down(_: Any) -> Any:
        raise ConnectionRefusedError

    monkeypatch.setattr(outcome.queries, "record", down)
    entry = outcome.entry_for(
        attempt_of(item), Rejected("no such user someone@example.com"), outcome.RetrySettings()
    )
    await outcome.record(entry, seconds=0)
    file = Path(DispatchSettings().storage) / "unrecorded" / f"{item.attempt}.json"
    kept = json.loads(file.read_text())
    assert (kept["item_id"], kept["outcome"]) == (str(item.id), "rejected")
    assert "someone@example.com" not in file.read_text() + capsys.readouterr().err
