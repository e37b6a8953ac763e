"""Channels that send nothing: by a person, when the provider refuses us, after lost commits."""

import uuid
from typing import Any

import pytest

from app.items import evidence, pause
from app.jobs.send_message import SendMessage
from app.models import statements
from app.models.queries import channels as queries
from app.transports import channels
from app.transports.contract import (
    EventType,
    Facts,
    Go,
    Outcome,
    ProviderEvent,
    Rejected,
    RejectKind,
)
from tests.fakes.items import history_of, put_item, state_of
from tests.fakes.transports import Message, Scripted, scripted_channels


@pytest.fixture
async def transport(application: Any) -> Scripted:
    scripted = Scripted()
    scripted.facts = Facts(name="sandbox", method="email", pause_codes=frozenset({"401"}))
    channels.use(scripted_channels(scripted))
    return scripted


async def run(application: Any, item: uuid.UUID) -> None:
    await application.make("queue")._worker._invoke(SendMessage(str(item)))


async def refuse(_: Message, go: Go) -> Outcome:
    go()
    return Rejected("who are you?", "401", RejectKind.CONFIGURATION)


async def paused() -> list[str]:
    return [channel.name for channel in await queries.find_paused()]


async def test_a_paused_channel_sends_nothing_and_a_resumed_one_does(
    application: Any, transport: Scripted
) -> None:
    item = await put_item("queued", attempts=0)
    await pause.pause("sandbox", "maintenance")
    await run(application, item.id)
    assert (transport.sent, await state_of(item.id)) == ([], "queued")

    assert await pause.resume("sandbox", "operator:1") == 1
    await run(application, item.id)
    assert await state_of(item.id) == "awaiting"


async def test_a_provider_that_refuses_our_credentials_is_asked_no_more(
    application: Any, transport: Scripted
) -> None:
    transport.behaviour = refuse
    items = [await put_item("queued", attempts=0) for _ in range(2)]
    for item in items:
        await run(application, item.id)
    assert [await state_of(item.id) for item in items] == ["errored", "queued"]
    assert len(transport.sent) == 1
    assert await paused() == ["sandbox"]


async def test_what_was_refused_for_our_credentials_is_retried_when_they_are_mended(
    application: Any, transport: Scripted
) -> None:
    transport.behaviour = refuse
    burned = await put_item("queued", attempts=0)
    other = await put_item("errored", error_kind="configuration")
    await run(application, burned.id)
    await pause.resume("sandbox", "operator:1")
    assert await state_of(burned.id) == "queued"
    assert await history_of(burned.id) == [
        ("send", "queued", "sending"),
        ("error", "sending", "errored"),
        ("retry", "errored", "queued"),
    ]
    assert await state_of(other.id) == "errored"


async def test_a_shorter_pause_does_not_end_a_longer_one(
    application: Any, transport: Scripted
) -> None:
    await pause.pause("sandbox", "until somebody says so")
    await pause.pause("sandbox", "for a moment", seconds=1)
    (channel,) = await queries.find_paused()
    assert (channel.until, channel.reason) == (None, "until somebody says so")


async def test_a_pause_ends_by_itself_when_its_time_is_over(
    application: Any, transport: Scripted
) -> None:
    await pause.pause("sandbox", "for a moment", seconds=60)
    await statements.run("UPDATE channels SET paused_until = now() - interval '1 s'")
    item = await put_item("queued", attempts=0)
    await run(application, item.id)
    assert await state_of(item.id) == "awaiting"


async def test_a_channel_that_is_not_there_is_named(application: Any, transport: Scripted) -> None:
    with pytest.raises(pause.UnknownChannel, match="sandbox"):
        await pause.pause("sandbx", "typing error")


async def test_an_attempt_that_only_the_provider_knows_stops_all_sending(
    application: Any, transport: Scripted
) -> None:
    """The database was set back to before the attempt: what else may it have lost?"""
    item = await put_item("queued", attempts=0)
    report = ProviderEvent("k", EventType.SENT, "sent", attempt_key=uuid.uuid7(), item_key=item.id)
    (event_id,) = await evidence.store("sandbox", [report])
    await evidence.apply(event_id)
    assert await state_of(item.id) == "awaiting"
    (channel,) = await queries.find_paused()
    assert "lost" in channel.reason
    assert channel.until is None
