"""What a page of metrics says of rows, streams, files and attempts."""

from pathlib import Path

import pytest

from app.items import pause
from app.jobs.send_message import SendMessage
from app.models import statements
from app.models.queries import gauges
from app.worker.metrics import Metrics
from tests.fakes.items import put_item, raw
from tests.fakes.web import Web
from tests.watching.page import Page, scrape


def ago(seconds: int) -> raw:
    return raw(f"now() - interval '{seconds} seconds'")


async def test_items_are_counted_by_state_and_method(web: Web) -> None:
    await put_item("queued")
    await put_item("awaiting", method="sms")
    await put_item("succeeded", method="sms")
    await put_item("succeeded", method="sms")
    page = await scrape(web)
    assert page.value("pillarbox_items", state="queued", method="email") == 1
    assert page.value("pillarbox_items", state="awaiting", method="sms") == 1
    assert page.value("pillarbox_items", state="succeeded", method="sms") == 2
    assert page.value("pillarbox_items", state="cancelled", method="email") == 0
    assert page.value("pillarbox_items") == 4


async def test_errored_items_are_counted_by_what_led_to_it(web: Web) -> None:
    await put_item("errored", error_kind="outcome_unknown")
    page = await scrape(web)
    assert page.value("pillarbox_errored_items", error_kind="outcome_unknown") == 1
    assert page.value("pillarbox_errored_items", error_kind="rejected") == 0


async def test_the_oldest_of_each_priority_is_shown_and_what_is_planned_does_not_wait(
    web: Web,
) -> None:
    await put_item("queued", priority="bulk", due_at=ago(100), dispatched_at=ago(90))
    await put_item("delayed", priority="bulk", due_at=ago(300), dispatched_at=ago(10))
    await put_item("queued", priority="high", due_at=ago(-500))
    page = await scrape(web)
    assert 300 <= (page.value("pillarbox_oldest_waiting_seconds", priority="bulk") or 0) < 310
    assert page.value("pillarbox_oldest_waiting_seconds", priority="high") == 0
    assert page.value("pillarbox_oldest_unpublished_seconds") == 0


async def test_what_is_due_and_was_handed_to_no_queue_is_shown(web: Web) -> None:
    await put_item("queued", due_at=ago(70), dispatched_at=ago(200))
    assert 70 <= ((await scrape(web)).value("pillarbox_oldest_unpublished_seconds") or 0) < 80


async def test_abandoned_attempts_are_shown(web: Web) -> None:
    await put_item("sending", lease_until=ago(50))
    assert 50 <= ((await scrape(web)).value("pillarbox_oldest_abandoned_seconds") or 0) < 60


async def test_messages_on_the_streams_are_counted(web: Web) -> None:
    await web.app.make("queue").push_many(
        SendMessage, [(("0197f1a0-5c1d-7b11-8f43-6c2a4c1d9e02",), "bulk")]
    )
    page = await scrape(web)
    assert page.value("pillarbox_stream_messages", queue="bulk") == 1
    assert page.value("pillarbox_stream_messages", queue="high") == 0
    assert page.value("pillarbox_quarantined_messages") == 0
    # Behind a long backlog of rows this alone shows it.
    assert (page.value("pillarbox_oldest_waiting_seconds", priority="bulk") or 0) > 0


async def test_what_is_beyond_the_limit_is_not_counted(
    web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gauges, "GAUGES", gauges.GAUGES.replace(f"LIMIT {gauges.MOST}", "LIMIT 2"))
    for _ in range(3):
        await put_item("queued", due_at=ago(60))
    page = await scrape(web)
    assert page.value("pillarbox_items", state="queued", method="email") == 2
    assert (page.value("pillarbox_oldest_waiting_seconds", priority="default") or 0) >= 60


async def test_numbers_that_take_too_long_are_left_out_and_the_server_is_there_all_the_same(
    web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gauges, "PATIENCE_MS", 50)
    slow = "SELECT 'up', ARRAY['slow'], 1.0 FROM (SELECT pg_sleep(5)) s"
    monkeypatch.setattr(gauges, "GAUGES", slow)
    page = await scrape(web)
    assert page.value("pillarbox_up", server="postgresql") == 1
    assert "pillarbox_items" not in page.names


async def test_workers_are_alive_or_silent(web: Web) -> None:
    add = (
        "INSERT INTO workers (id, token, host, pid, place, process_started, queues, concurrency,"
        " heartbeat_at) VALUES ($1, gen_random_uuid(), 'h', 1, '', 1, '{}', 1,"
        " now() - $2::float8 * interval '1 second')"
    )
    await statements.run(add, "a", 5.0)
    await statements.run(add, "b", 300.0)
    page = await scrape(web)
    assert page.value("pillarbox_workers", heartbeat="alive") == 1
    assert page.value("pillarbox_workers", heartbeat="silent") == 1
    assert 5 <= (page.value("pillarbox_heartbeat_age_seconds") or 0) < 10


async def test_nothing_is_said_of_heartbeats_while_there_was_no_worker(web: Web) -> None:
    page = await scrape(web)
    assert page.value("pillarbox_workers", heartbeat="alive") == 0
    assert page.value("pillarbox_heartbeat_age_seconds") is None


async def test_paused_channels_are_shown_and_no_name_that_is_not_configured(web: Web) -> None:
    await statements.run("INSERT INTO channels VALUES ('a@b.example', 'infinity', '')")
    assert (await scrape(web)).value("pillarbox_channel_paused", channel="sandbox") == 0
    await pause.pause("sandbox", "why")
    page = Page((await Metrics(web.app.make("queue")).render()).decode())
    assert page.value("pillarbox_channel_paused", channel="sandbox") == 1
    assert not page.has_addresses()


async def test_outcomes_that_were_not_recorded_are_counted(web: Web, storage: Path) -> None:
    folder = storage / "unrecorded"
    folder.mkdir(parents=True)
    for name in ("a.json", "b.json", "c.lost"):
        (folder / name).touch()
    page = await scrape(web)
    assert page.value("pillarbox_unrecorded_outcomes", state="waiting") == 2
    assert page.value("pillarbox_unrecorded_outcomes", state="refused") == 0
    assert page.value("pillarbox_unrecorded_outcomes", state="lost") == 1


async def test_an_open_transaction_is_shown(web: Web) -> None:
    pool = await statements.pool()
    async with pool.acquire() as connection, connection.transaction():
        await connection.execute("SELECT txid_current()")
        await connection.execute("SELECT pg_sleep(1.1)")
        page = await scrape(web)
    assert (page.value("pillarbox_postgresql_oldest_transaction_seconds") or 0) >= 1
    assert page.value("pillarbox_postgresql_oldest_xmin_transactions") is not None


async def test_what_was_read_is_shown_again_for_some_seconds(web: Web) -> None:
    assert (await scrape(web)).value("pillarbox_items", state="queued") == 0
    await put_item("queued")
    assert (await scrape(web)).value("pillarbox_items", state="queued") == 0
