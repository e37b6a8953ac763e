"""What would have lost an outcome, stopped the sweep or told an untruth, and no longer does."""

import asyncio
import json
import time
import uuid
from pathlib import Path

import asyncpg
import pytest

from app.items import evidence, outcome, sweep, unrecorded
from app.models import statements
from app.models.queries import operate
from app.models.statements import Statements
from app.settings import RetrySettings
from app.transports.contract import Accepted, EventType, NotSent, ProviderEvent, Rejected
from tests.fakes.facts import attempt_of, record, report
from tests.fakes.items import event, history_of, put_attempt, put_item, raw, see, state_of
from tests.fakes.transports import find_nothing
from tests.fakes.waiting import patience


async def no_broker() -> dict[str, None]:
    return {}


async def test_a_late_refusal_of_a_cancelled_item_changes_only_its_text(
    database: Statements,
) -> None:
    item = await put_item("cancelled", result="Cancelled; it may have been sent.")
    await record(item, Rejected("no such user", "550"))
    row = await see(item.id)
    assert (row["state"], row["error_kind"], row["result"]) == ("cancelled", None, "no such user")
    assert row["finished_at"] is not None


@pytest.mark.parametrize("text", ["a\0b", "lone \ud800 surrogate", "x" * 5000])
async def test_no_text_of_a_provider_keeps_its_outcome_from_the_books(
    database: Statements, text: str
) -> None:
    item = await put_item("sending")
    await record(item, Rejected(text, "550"))
    assert await state_of(item.id) == "errored"


@pytest.mark.parametrize(
    "said",
    [
        {"text": "C:\\u0000"},
        {"text": "a\0b", "deep": {"\0": ["\ud800"]}},
        {"number": float("nan"), "big": float("inf")},
        {"nested": json.loads("[" * 900 + "]" * 900)},
    ],
)
async def test_nothing_that_a_provider_says_keeps_its_report_from_being_stored(
    database: Statements, said: dict[str, object]
) -> None:
    item = await put_item("awaiting")
    news = ProviderEvent(
        "k" * 5000, EventType.DELIVERED, "a\0", attempt_key=item.attempt, raw=said, text="\ud800"
    )
    (event_id,) = await evidence.store("sandbox", [news])
    await evidence.apply(event_id)
    assert await state_of(item.id) == "succeeded"


async def test_a_backslash_in_a_report_is_kept_as_it_is(database: Statements) -> None:
    item = await put_item("awaiting")
    news = ProviderEvent("k", EventType.SENT, "sent", item_key=item.id, raw={"a": "C:\\u0000b"})
    await evidence.store("sandbox", [news])
    rows = await statements.run("SELECT raw ->> 'a' AS a FROM delivery_events")
    assert rows[0]["a"] == "C:\\u0000b"


@pytest.mark.parametrize("rescued", [NotSent("never got it"), None], ids=["not sent", "again"])
async def test_an_acceptance_that_comes_late_stops_the_planned_repetition(
    database: Statements, rescued: NotSent | None
) -> None:
    item = await put_item("sending")
    if rescued is not None:
        await record(item, rescued)
    else:
        await statements.run(
            "UPDATE queue_items SET state = 'delayed', lease_until = NULL WHERE id = $1", item.id
        )
    assert await state_of(item.id) == "delayed"
    await record(item, Accepted("m-1"))
    row = await see(item.id)
    assert (row["state"], row["message_id"]) == ("awaiting", "m-1")


async def test_the_providers_id_is_kept_although_a_report_without_it_came_first(
    database: Statements,
) -> None:
    item = await put_item("sending")
    await report(item, "in_flight")
    await record(item, Accepted("m-2"))
    row = await see(item.id)
    assert (row["state"], row["message_id"]) == ("awaiting", "m-2")


@pytest.mark.parametrize("delivered_first", [True, False])
async def test_for_an_sms_a_delivered_attempt_outweighs_a_refused_one_in_any_order(
    database: Statements, delivered_first: bool
) -> None:
    item = await put_item("sending", method="sms", attempts=2)
    earlier = uuid.uuid7()
    await put_attempt(item.id, earlier, number=1, outcome="unknown")

    async def deliver() -> None:
        for event_id in await evidence.store("sandbox", [event("delivered", earlier)]):
            await evidence.apply(event_id)

    if delivered_first:
        await deliver()
    await record(item, Rejected("no", "21211"))
    if not delivered_first:
        await deliver()
    assert await state_of(item.id) == "succeeded"


async def test_a_move_of_the_sweep_that_fails_holds_back_no_other(
    database: Statements, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(_limit: int, _text: str, _actor: str) -> list[uuid.UUID]:
        raise RuntimeError

    monkeypatch.setattr(operate, "expire", broken)
    item = await put_item("sending", lease_until=raw("now() - interval '6 s'"))
    found = await sweep.sweep(no_broker, find_nothing)
    assert (found["expired"], found["rescued"]) == (0, 1)
    assert await state_of(item.id) == "errored"


async def test_the_sweep_goes_on_until_nothing_is_left(
    database: Statements, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "PAGE", 3)
    for _ in range(10):
        await put_item("queued", expires_at=raw("now() - interval '1 s'"))
    found = await sweep.sweep(no_broker, find_nothing)
    assert found["expired"] == 10


async def test_a_kept_outcome_that_is_refused_is_set_aside_once(
    database: Statements, storage: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good, bad = await put_item("sending"), await put_item("sending")
    for item in (good, bad):
        entry = outcome.entry_for(attempt_of(item), Accepted(f"m {item.id}"), RetrySettings())
        unrecorded.keep(entry)
    real = unrecorded.queries.record

    async def refuse_one(entry: object) -> object:
        if entry.item_id == bad.id:
            raise asyncpg.CheckViolationError
        return await real(entry)

    monkeypatch.setattr(unrecorded.queries, "record", refuse_one)
    assert await unrecorded.read_back() == 1
    assert unrecorded.waiting() == []
    assert await state_of(good.id) == "awaiting"
    assert len(list((storage / "unrecorded").glob("*.refused"))) == 1


async def test_an_outcome_waits_for_a_database_without_a_free_connection(
    database: Statements, database_url: str
) -> None:
    """The server says that it has too many clients: that is no reason to forget an answer."""
    item = await put_item("sending")
    refusals = iter([asyncpg.TooManyConnectionsError(), asyncpg.ReadOnlySQLTransactionError()])
    real = outcome.queries.record

    async def full(entry: object) -> object:
        for refusal in refusals:
            raise refusal
        return await real(entry)

    outcome.queries.record = full
    try:
        entry = outcome.entry_for(attempt_of(item), Accepted("m-3"), RetrySettings())
        await outcome.record(entry)
    finally:
        outcome.queries.record = real
    assert await state_of(item.id) == "awaiting"


async def test_an_outcome_that_the_books_refuse_is_kept(
    database: Statements, storage: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(_entry: object) -> object:
        raise asyncpg.CheckViolationError

    monkeypatch.setattr(outcome.queries, "record", refuse)
    item = await put_item("sending")
    await outcome.record(outcome.entry_for(attempt_of(item), Accepted("m-4"), RetrySettings()))
    assert len(unrecorded.waiting()) == 1


async def test_ambiguous_orphans_do_not_hold_back_other_reports(database: Statements) -> None:
    item = await put_item("awaiting", attempts=2)
    await put_attempt(item.id, uuid.uuid7(), number=1, outcome="unknown")
    for number in range(8):
        news = ProviderEvent(f"k{number}", EventType.DELIVERED, "delivered", item_key=item.id)
        for event_id in await evidence.store("sandbox", [news]):
            assert await evidence.apply(event_id) == "orphan"
    good = await put_item("awaiting")
    (unapplied,) = await evidence.store("sandbox", [event("delivered", good.attempt)])
    await statements.run("UPDATE delivery_events SET received_at = now() - interval '1 min'")
    assert (await evidence.queries.find_unapplied(5.0, 3))[0] == unapplied


@pytest.mark.parametrize("end", ["cancel", "expire"])
async def test_a_retried_item_that_ends_unsent_says_that_it_may_have_been_sent(
    database: Statements, end: str
) -> None:
    item = await put_item("errored", error_kind="outcome_unknown")
    await operate.retry(item.id, "person", confirm=True, dry_run=False)
    if end == "cancel":
        await operate.cancel(item.id, "person", confirm=False, dry_run=False)
    else:
        await statements.run("UPDATE queue_items SET expires_at = now() - interval '1 s'")
        await sweep.expire()
    row = await see(item.id)
    assert row["state"] == "cancelled"
    assert "may have been sent" in row["result"]
    assert [t for t, _, _ in await history_of(item.id)] == ["retry", "cancel"]


async def test_requests_that_never_end_take_nobody_elses_place(
    database_url: str, redis_url: str, tmp_path: Path
) -> None:
    """More open requests than are answered at once, none of which ever sends its body."""
    from app.controllers.webhooks.receive import AT_ONCE
    from tests.fakes.web import serving
    from tests.feature.test_sandbox_webhook import SECRET, report, signed

    settings = {"SANDBOX_WEBHOOK_SECRET": SECRET, "STORAGE_PATH": str(tmp_path)}
    async with serving(**settings) as web:
        host, port = web.url.removeprefix("http://").split(":")
        head = (
            f"POST /webhooks/email/sandbox HTTP/1.1\r\nhost: {host}\r\ncontent-length: 100\r\n\r\nx"
        )
        writers = []
        for _ in range(AT_ONCE + 20):
            _, writer = await asyncio.open_connection(host, int(port))
            writer.write(head.encode())
            writers.append(writer)
        await asyncio.gather(*(writer.drain() for writer in writers))
        started = time.monotonic()
        body = report()
        answer = await web.post("/webhooks/email/sandbox", content=body, headers=signed(body))
        assert answer.status_code == 200
        assert time.monotonic() - started < patience(5)
        for writer in writers:
            writer.close()
