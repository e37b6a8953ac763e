"""A message that may have gone out before is sent again only when nobody knows better."""

import uuid
from typing import Any

import pytest

from app.items import evidence
from app.jobs import send_message
from app.jobs.send_message import SendMessage
from app.models import statements
from app.transports import channels
from app.transports.contract import (
    Accepted,
    CannotTell,
    EventType,
    Found,
    Go,
    LookUp,
    NotFound,
    Outcome,
    ProviderEvent,
    TryLater,
)
from tests.fakes.items import event, history_of, put_item, see, state_of
from tests.fakes.transports import Message, Scripted, scripted_channels

DOUBTFUL = TryLater("502 from a proxy", "502", may_have_been_sent=True)


@pytest.fixture
async def transport(application: Any) -> Scripted:
    scripted = Scripted()
    channels.use(scripted_channels(scripted))
    return scripted


async def run(application: Any, item: uuid.UUID) -> None:
    await statements.run("UPDATE queue_items SET due_at = now() WHERE id = $1", item)
    await application.make("queue")._worker._invoke(SendMessage(str(item)))


async def fail_doubtfully(application: Any, transport: Scripted) -> uuid.UUID:
    """An item whose first attempt may have been sent, waiting for its next one."""

    async def doubtful(_: Message, go: Go) -> Outcome:
        go()
        return DOUBTFUL

    accept, transport.behaviour = transport.behaviour, doubtful
    item = await put_item("queued", attempts=0)
    await run(application, item.id)
    assert await state_of(item.id) == "delayed"
    transport.behaviour = accept
    transport.sent.clear()
    return item.id


def knowing(answer: LookUp, monkeypatch: pytest.MonkeyPatch) -> None:
    async def find(_: object) -> LookUp:
        return answer

    monkeypatch.setattr(send_message, "find", find)


async def first_attempt(item: uuid.UUID) -> uuid.UUID:
    rows = await statements.run("SELECT id FROM attempts WHERE item_id = $1 AND number = 1", item)
    return rows[0]["id"]


async def test_it_is_not_sent_again_when_the_provider_has_it(
    application: Any, transport: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    item = await fail_doubtfully(application, transport)
    earlier = await first_attempt(item)
    news = ProviderEvent("k", EventType.SENT, "sent", message_id="m-1", attempt_key=earlier)
    knowing(Found((news,), "m-1"), monkeypatch)
    await run(application, item)
    assert transport.sent == []
    row = await see(item)
    assert (row["state"], row["attempt_id"], row["message_id"]) == ("awaiting", earlier, "m-1")


async def test_a_stored_report_is_applied_before_anybody_is_asked(
    application: Any, transport: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    item = await fail_doubtfully(application, transport)

    async def must_not_be_asked(_: object) -> LookUp:
        raise AssertionError

    monkeypatch.setattr(send_message, "find", must_not_be_asked)
    await evidence.store("sandbox", [event("in_flight", await first_attempt(item))])
    await run(application, item)
    assert transport.sent == []
    assert await state_of(item) == "awaiting"


@pytest.mark.parametrize("answer", [NotFound(), CannotTell("no search")])
async def test_it_is_sent_again_when_nobody_knows_of_it(
    application: Any, transport: Scripted, monkeypatch: pytest.MonkeyPatch, answer: LookUp
) -> None:
    item = await fail_doubtfully(application, transport)
    knowing(answer, monkeypatch)
    await run(application, item)
    assert len(transport.sent) == 1
    assert await state_of(item) == "awaiting"


async def test_the_timeline_says_that_it_may_be_a_second_copy(
    application: Any, transport: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    item = await fail_doubtfully(application, transport)
    knowing(CannotTell(), monkeypatch)
    await run(application, item)
    rows = await statements.run(
        "SELECT detail FROM item_history WHERE item_id = $1 AND transition = 'await'", item
    )
    assert "second copy" in rows[0]["detail"]


async def test_a_delivery_of_the_earlier_attempt_during_the_later_one_is_not_forgotten(
    application: Any, transport: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    item = await fail_doubtfully(application, transport)
    knowing(CannotTell(), monkeypatch)
    earlier = await first_attempt(item)

    async def fails_while_the_first_is_delivered(_: Message, go: Go) -> Outcome:
        go()
        for event_id in await evidence.store("sandbox", [event("delivered", earlier)]):
            await evidence.apply(event_id)
        return DOUBTFUL

    transport.behaviour = fails_while_the_first_is_delivered
    await run(application, item)
    assert await state_of(item) == "succeeded"
    assert [to for _, _, to in await history_of(item)] == [
        "sending",
        "delayed",
        "sending",
        "succeeded",
    ]


async def test_an_accepted_message_is_never_doubtful(
    application: Any, transport: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def must_not_be_asked(_: object) -> LookUp:
        raise AssertionError

    monkeypatch.setattr(send_message, "find", must_not_be_asked)

    async def busy(_: Message, go: Go) -> Outcome:
        go()
        return TryLater("429", "429")

    transport.behaviour = busy
    item = await put_item("queued", attempts=0)
    await run(application, item.id)

    async def accept(message: Message, go: Go) -> Outcome:
        go()
        return Accepted(f"m of {message.attempt_id}")

    transport.behaviour = accept
    await run(application, item.id)
    assert await state_of(item.id) == "awaiting"
