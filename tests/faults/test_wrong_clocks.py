"""A host whose clock is wrong: what is due, and when a wait is over, is the database's to say."""

import time
from typing import Any

import pytest

from app.items import add_email, publish
from app.jobs.play_sandbox import PlaySandbox
from app.jobs.send_message import SendMessage
from app.models import statements
from app.transports import channels
from app.transports.contract import Go, Outcome, TryLater
from tests.fakes.items import put_item, raw, see, state_of
from tests.fakes.transports import Message, Scripted, scripted_channels

HOUR = 3600.0


@pytest.fixture(params=[-2 * HOUR, 2 * HOUR], ids=["slow", "fast"])
def wrong_clock(application: Any, request: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    real, real_ns = time.time, time.time_ns
    monkeypatch.setattr(time, "time", lambda: real() + request.param)
    monkeypatch.setattr(time, "time_ns", lambda: real_ns() + int(request.param * 1e9))


@pytest.fixture
def transport(application: Any) -> Scripted:
    scripted = Scripted()
    channels.use(scripted_channels(scripted))
    return scripted


async def run(application: Any, item: Any) -> None:
    await application.make("queue")._worker._invoke(SendMessage(str(item.id)))


async def test_what_is_due_is_sent_and_what_is_planned_waits(
    application: Any, wrong_clock: None, transport: Scripted
) -> None:
    planned = await put_item("queued", attempts=0, due_at=raw("now() + interval '1 hour'"))
    [due] = await add_email(
        sender={"email": "shop@example.com"},
        to=[{"email": "someone@example.com"}],
        subject="Hello",
        text="Text",
    )
    for item in (due, planned):
        await run(application, item)
    assert [message.item_id for message in transport.sent] == [due.id]
    assert await state_of(planned.id) == "queued"
    wait = await publish.publish_due()
    assert wait is not None
    assert HOUR - 60 < wait <= HOUR


async def test_a_retry_waits_as_long_as_it_should(
    application: Any, wrong_clock: None, transport: Scripted
) -> None:
    async def busy(_: Message, go: Go) -> Outcome:
        go()
        return TryLater("busy", "451")

    transport.behaviour = busy
    item = await put_item("queued", attempts=0)
    await run(application, item)
    [row] = await statements.run(
        "SELECT EXTRACT(epoch FROM due_at - statement_timestamp())::float8 AS wait"
        " FROM queue_items WHERE id = $1",
        item.id,
    )
    assert 0 < row["wait"] <= (await see(item.id))["retry_delay"]


async def test_a_delayed_job_is_neither_early_nor_late(application: Any, wrong_clock: None) -> None:
    queue = application.make("queue")
    await queue.dispatch_after(HOUR, PlaySandbox())
    assert await queue.release_due_jobs() == 0
    await queue.dispatch_after(0, PlaySandbox())
    assert await queue.release_due_jobs() == 1
