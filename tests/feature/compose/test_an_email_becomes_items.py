"""What is stored of an email, and who gets it."""

import uuid
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from arvel.kernel import Application

from app.items import InvalidMessage, add_abstract_email, schedule_queue_item
from app.models import statements
from app.models.email_message import EmailMessage
from app.models.queue_item import QueueItem
from app.models.receiver import Receiver
from app.models.sender import Sender
from app.models.sent_item import SentItem
from app.models.statements import Row, Statements
from app.transports.channels import current
from tests.fakes.transports import Scripted
from tests.feature.compose.conftest import Published
from tests.feature.compose.given import ANNA, SHOP, email, rows_of, sms

pytestmark = pytest.mark.usefixtures("published")

BOB = {"email": "bob@example.com", "name": "Bob"}
CARL = {"email": "carl@example.com"}


@pytest.fixture
def statements_run(application: Application, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every statement that runs from now on."""
    seen: list[str] = []
    run: Callable[..., Awaitable[Any]] = Statements.run

    async def counted(self: Statements, sql: str, *args: Any, **options: Any) -> Any:
        seen.append(sql)
        return await run(self, sql, *args, **options)

    monkeypatch.setattr(Statements, "run", counted)
    return seen


async def test_each_receiver_in_to_cc_and_bcc_gets_an_item_of_its_own() -> None:
    """Field report 56: what happens to one of them happens to that one alone."""
    items = await email(to=[ANNA, BOB], cc=[CARL], bcc=[{"email": "dora@example.com"}])
    assert [(item.role, item.receiver_address) for item in items] == [
        ("to", "anna@example.com"),
        ("to", "bob@example.com"),
        ("cc", "carl@example.com"),
        ("bcc", "dora@example.com"),
    ]
    assert len({item.id for item in items}) == 4
    assert len({item.email_id for item in items}) == 1
    assert {item.state for item in items} == {"queued"}


async def test_an_address_named_twice_gets_one_item_in_its_first_role() -> None:
    items = await email(to=[ANNA, BOB], cc=[{"email": "BOB@example.com"}], bcc=[ANNA])
    assert [item.receiver_name for item in items] == ["Anna", "Bob"]
    shown = await rows_of("email_receivers", "position")
    assert [row["address"] for row in shown] == ["anna@example.com", "bob@example.com"]


async def test_an_address_for_replies_may_also_receive() -> None:
    [item] = await email(reply_to=[ANNA, {"email": "help@example.com"}])
    shown = await rows_of("email_receivers", "role, position")
    assert [(row["role"], row["address"]) for row in shown] == [
        ("reply_to", "anna@example.com"),
        ("reply_to", "help@example.com"),
        ("to", "anna@example.com"),
    ]
    assert item.role == "to"


async def test_the_whole_content_is_stored_as_given() -> None:
    [item] = await email(
        text="Text\n.\nmore", html="<p>Grüße", headers={"X-Order": "7"}, tags=["a", "b", "a"]
    )
    message = await EmailMessage.find(item.email_id)
    assert message is not None
    assert message.sender_name == "Shop"
    assert message.sender_address == "shop@example.com"
    assert (message.subject, message.text, message.html) == ("Hello", "Text\n.\nmore", "<p>Grüße")
    assert message.headers == {"X-Order": "7"}
    assert message.tags == item.tags == ["a", "b"]


async def test_domains_are_stored_in_ascii() -> None:
    """Field report 49."""
    [item] = await email(to={"email": "a@faß.de"})
    assert item.receiver_address == "a@xn--fa-hia.de"


async def test_people_are_rows_or_keys_of_rows() -> None:
    sender = await Sender.create(name="Shop", email="shop@example.com")
    anna = await Receiver.create(name="Anna", email="anna@example.com")
    bob = await Receiver.create(name="Bob", email="bob@example.com")
    items = await email(sender=sender.id, to=[anna, bob.id], reply_to=sender)
    assert [(i.receiver_id, i.receiver_name) for i in items] == [(anna.id, "Anna"), (bob.id, "Bob")]
    message = await EmailMessage.find(items[0].email_id)
    assert message is not None
    assert message.sender_id == sender.id


async def test_an_item_keeps_the_address_it_was_composed_with() -> None:
    anna = await Receiver.create(name="Anna", email="anna@example.com")
    [item] = await email(to=anna)
    await anna.update({"email": "new@example.com"})
    found = await QueueItem.find(item.id)
    assert found is not None
    assert found.receiver_address == "anna@example.com"


@pytest.mark.parametrize("key", [2**40, uuid.uuid7(), "A-7"])
async def test_the_origin_may_have_a_key_of_any_type(key: object) -> None:
    """Field report 89."""
    [item] = await email(origin=("order", key))
    found = await QueueItem.find(item.id)
    assert found is not None
    assert found.origin == item.origin == ("order", str(key))


async def test_an_email_without_files_takes_one_statement(statements_run: list[str]) -> None:
    await email(to=[ANNA, BOB, CARL])
    assert len(statements_run) == 1


async def test_keys_of_rows_take_one_more_statement(statements_run: list[str]) -> None:
    sender = await Sender.create(email="shop@example.com")
    anna = await Receiver.create(email="anna@example.com")
    await email(sender=sender.id, to=[anna.id])
    assert len(statements_run) == 2


async def test_an_sms_takes_one_statement(statements_run: list[str]) -> None:
    await sms()
    assert len(statements_run) == 1


async def test_a_message_whose_answer_was_lost_is_written_once(
    application: Application, monkeypatch: pytest.MonkeyPatch, published: Published
) -> None:
    """The connection breaks after the commit, and the statement is repeated."""
    run: Callable[..., Awaitable[Any]] = Statements.run

    async def twice(self: Statements, sql: str, *args: Any, **options: Any) -> list[Row]:
        if sql.lstrip().startswith("WITH message"):
            await run(self, sql, *args, **options)
        return await run(self, sql, *args, **options)

    monkeypatch.setattr(Statements, "run", twice)
    items = await email(to=[ANNA, BOB])
    item = await sms()
    assert [i.receiver_address for i in items] == ["anna@example.com", "bob@example.com"]
    assert published.ids == [*(i.id for i in items), item.id]
    assert len(await rows_of("queue_items", "id")) == 3


async def test_an_sms_is_stored_with_its_numbers() -> None:
    item = await sms(media_url="https://cdn.example.com/a.png", origin=("order", 1))
    [stored] = await rows_of("sms_messages", "id")
    assert (stored["sender_number"], stored["body"]) == ("+15550100009", "Text")
    assert stored["media_url"] == "https://cdn.example.com/a.png"
    assert (item.method, item.receiver_address, item.receiver_name) == (
        "sms",
        "+15550100001",
        "Anna",
    )


async def test_an_item_that_is_due_now_is_published_now(published: Published) -> None:
    items = [*await email(to=[ANNA, BOB], priority="high"), await sms(priority="bulk")]
    assert [(due.item_id, due.priority) for due in published.due] == [
        (items[0].id, "high"),
        (items[1].id, "high"),
        (items[2].id, "bulk"),
    ]
    assert all(item.due_at == item.dispatched_at == item.queued for item in items)


async def test_an_item_of_the_future_is_left_to_the_ticker(published: Published) -> None:
    later = datetime.now(UTC) + timedelta(hours=1)
    [item] = await email(send_at=later)
    text = await sms(send_at=later, expires_at=later + timedelta(hours=1))
    assert published.due == []
    assert item.due_at == text.due_at == later
    assert item.dispatched_at is text.dispatched_at is None


async def test_a_time_that_has_passed_means_now(published: Published) -> None:
    [item] = await email(send_at=datetime.now(UTC) - timedelta(days=1))
    assert item.due_at == item.queued
    assert published.ids == [item.id]


async def test_an_abstract_email_waits_until_it_is_scheduled(published: Published) -> None:
    [item] = await add_abstract_email(sender=SHOP, to=ANNA, subject="Hello", text="Text")
    assert item.due_at is item.dispatched_at is None
    assert published.due == []
    assert await schedule_queue_item(item)
    assert published.ids == [item.id]
    assert not await schedule_queue_item(item.id)
    assert published.ids == [item.id]


async def test_scheduling_keeps_to_the_time_of_an_abstract_email(published: Published) -> None:
    later = datetime.now(UTC) + timedelta(hours=1)
    [item] = await add_abstract_email(
        sender=SHOP, to=ANNA, subject="Hello", text="Text", send_at=later
    )
    assert await schedule_queue_item(item)
    assert published.due == []
    found = await QueueItem.find(item.id)
    assert found is not None
    assert found.due_at == later


async def test_a_cancelled_abstract_email_is_not_scheduled(published: Published) -> None:
    [item] = await add_abstract_email(sender=SHOP, to=ANNA, subject="Hello", text="Text")
    await statements.run(
        "UPDATE queue_items SET state = 'cancelled', finished_at = now() WHERE id = $1", item.id
    )
    assert not await schedule_queue_item(item)
    assert published.due == []


async def test_nothing_is_published_before_the_caller_commits(
    application: Application, published: Published
) -> None:
    async with application.make("db").transaction():
        [item] = await email()
        text = await sms()
        assert published.due == []
    assert published.ids == [item.id, text.id]
    assert await QueueItem.query().count() == 2


async def test_nothing_is_left_when_the_caller_rolls_back(
    application: Application, published: Published
) -> None:
    with pytest.raises(ZeroDivisionError):
        await compose_and_fail(application)
    assert published.due == []
    assert await QueueItem.query().count() == 0


async def compose_and_fail(application: Application) -> None:
    async with application.make("db").transaction():
        await email()
        await sms()
        _ = 1 / 0


async def test_outside_production_items_take_the_sandbox(application: Application) -> None:
    """Field report 84."""
    config = application.make("config")
    config.set("dispatch.email", "smtp")
    config.set("dispatch.sms", "twilio")
    config.set("dispatch.allow_real", "bob@example.com, +15550100001")
    current().email["smtp"], current().sms["twilio"] = Scripted(), Scripted("sms")
    items = await email(to=[ANNA, BOB])
    assert [item.channel for item in items] == ["sandbox", "smtp"]
    assert (await sms()).channel == "twilio"
    assert (await sms(receiver={"cell": "+15550100002"})).channel == "sandbox"
    config.set("app.env", "production")
    assert {item.channel for item in await email(to=[ANNA, BOB])} == {"smtp"}


async def test_nothing_waits_for_a_channel_that_is_not_there(application: Application) -> None:
    config = application.make("config")
    config.set("app.env", "production")
    config.set("dispatch.email", "smtp")
    with pytest.raises(InvalidMessage) as refused:
        await email()
    assert "not configured" in refused.value.errors["channel"][0]


async def test_an_item_from_the_database_is_the_item_that_was_returned() -> None:
    [item] = await email(cc=[], tags=["a"], origin=("order", 1))
    found = await QueueItem.find(item.id)
    assert found is not None
    for name in [*QueueItem.__fields__, "receiver_address", "receiver_name", "role", "tags"]:
        assert getattr(found, name) == getattr(item, name), name
    assert found.done_since == item.queued
    assert found.message_sid is None


async def test_sent_items_are_the_done_ones() -> None:
    done, waiting = await sms(), await sms()
    await statements.run(
        "UPDATE queue_items SET state = 'succeeded', finished_at = now(), message_id = 'SM1'"
        " WHERE id = $1",
        done.id,
    )
    [sent] = await SentItem.all()
    assert (sent.id, sent.message_sid, sent.origin) == (done.id, "SM1", None)
    assert await SentItem.find(waiting.id) is None


async def test_a_model_can_not_change_an_item() -> None:
    from arvel.database.model import ReadOnlyModelError

    item = await sms()
    item.state = "succeeded"
    with pytest.raises(ReadOnlyModelError):
        await item.save()
    with pytest.raises(ReadOnlyModelError):
        await item.delete()


async def test_a_model_shown_in_a_log_gives_nothing_away() -> None:
    [item] = await email()
    message = await EmailMessage.find(item.email_id)
    assert repr(item) == f"QueueItem(id={item.id})"
    assert repr(message) == f"EmailMessage(id={item.email_id})"
