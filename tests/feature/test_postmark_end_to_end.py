"""An email from ``add_email`` to its end by Postmark, over real sockets both ways."""

from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID, uuid7

import pytest

from app.models import statements
from tests.fakes.items import history_of, see
from tests.fakes.postmark.given import (
    ADA,
    PASSWORD,
    ROUTE,
    add_one,
    pillarbox,
    until_state,
    verdicts,
    webhook_url,
)
from tests.fakes.postmark.messages import FakeMessage
from tests.fakes.postmark.reports import report_of
from tests.fakes.postmark.server import FakePostmark, refuse
from tests.fakes.twilio_faults import http
from tests.fakes.waiting import until

pytestmark = pytest.mark.usefixtures("database_url", "redis_url")


@pytest.fixture
async def postmark() -> AsyncIterator[FakePostmark]:
    async with FakePostmark() as fake:
        yield fake


async def attempts_of(item: UUID) -> list[dict[str, object]]:
    rows = await statements.run("SELECT * FROM attempts WHERE item_id = $1 ORDER BY number", item)
    return [dict(row.items()) for row in rows]  # type: ignore[attr-defined]


async def accepted(item: UUID, postmark: FakePostmark) -> FakeMessage:
    """The message of an item that Postmark has accepted."""
    await until_state(item, "awaiting")
    [message] = [m for m in postmark.messages.values() if m.metadata["vdq_queue_item"] == str(item)]
    return message


async def test_an_email_is_sent_and_its_delivery_believed(
    postmark: FakePostmark, tmp_path: Path
) -> None:
    postmark.reports = ["Delivery", "Open", "Click"]
    async with pillarbox(postmark, tmp_path):
        item = await add_one(tags=["receipts"])
        await until_state(item, "succeeded")
        await postmark.settle()
    [message] = postmark.messages.values()
    assert postmark.by_item == {str(item): 1}
    assert set(postmark.report_statuses) == {200}
    assert (message.receiver, message.tag) == ("Ada@example.com", "receipts")
    assert (await see(item))["message_id"] == message.id


async def test_a_bounce_is_told_with_the_words_of_the_receivers_server(
    postmark: FakePostmark, tmp_path: Path
) -> None:
    postmark.reports = ["Bounce/HardBounce"]
    async with pillarbox(postmark, tmp_path):
        item = await add_one()
        await until_state(item, "errored")
    row = await see(item)
    assert row["error_kind"] == "reported"
    assert "550 5.1.1 no such user" in row["result"]


async def test_a_bounce_after_the_delivery_counts(postmark: FakePostmark, tmp_path: Path) -> None:
    """Field report 29."""
    async with pillarbox(postmark, tmp_path):
        item = await add_one()
        message = await accepted(item, postmark)
        assert await postmark.report(message, "Delivery") == 200
        await until_state(item, "succeeded")
        assert await postmark.report(message, "Bounce/HardBounce") == 200
        await until_state(item, "errored")
    assert [to for _, _, to in await history_of(item)] == [
        "sending",
        "awaiting",
        "succeeded",
        "errored",
    ]


async def test_a_report_before_the_answer_is_not_moved_back_by_the_record(
    postmark: FakePostmark, tmp_path: Path
) -> None:
    """Field report 27."""
    postmark.reports, postmark.report_before_answer = ["Delivery"], True
    postmark.latency = 0.3
    async with pillarbox(postmark, tmp_path):
        item = await add_one()
        await until_state(item, "succeeded")
        await until(lambda: has_outcome(item))
    [message] = postmark.messages.values()
    row = await see(item)
    assert (row["state"], row["message_id"]) == ("succeeded", message.id)


async def has_outcome(item: UUID) -> bool:
    [attempt] = await attempts_of(item)
    return attempt["outcome"] == "accepted"


async def test_every_receiver_gets_one_message_that_names_nobody_else(
    postmark: FakePostmark, tmp_path: Path
) -> None:
    """Field report 56."""
    bob = {"name": "Bob", "email": "bob@example.com"}
    async with pillarbox(postmark, tmp_path):
        await add_one(cc=[bob], bcc=[{"email": "cy@example.com"}])
        await until(lambda: all_sent(postmark, 3))
    assert postmark.by_receiver == {"Ada@example.com": 1, "bob@example.com": 1, "cy@example.com": 1}
    assert all(len(message.receivers) == 1 for message in postmark.messages.values())


async def all_sent(postmark: FakePostmark, count: int) -> bool:
    return len(postmark.messages) == count


# --- who may report


async def test_without_the_password_nothing_is_stored(
    postmark: FakePostmark, tmp_path: Path
) -> None:
    async with pillarbox(postmark, tmp_path) as web:
        item = await add_one()
        message = await accepted(item, postmark)
        assert await postmark.report(message, "Delivery", url=webhook_url(web, "wrong")) == 401
        assert await postmark.report(message, "Delivery", url=web.url + ROUTE) == 401
        answer = await web.post(ROUTE, json=report_of(message, "Delivery"))
        assert answer.headers["www-authenticate"].startswith("Basic ")
        assert await verdicts() == []
        assert (await see(item))["state"] == "awaiting"


async def test_both_passwords_are_believed_while_one_is_changed(
    postmark: FakePostmark, tmp_path: Path
) -> None:
    settings = {
        "POSTMARK_WEBHOOK_PASSWORD": "x" * 43,
        "POSTMARK_PREVIOUS_WEBHOOK_PASSWORD": PASSWORD,
    }
    async with pillarbox(postmark, tmp_path, **settings) as web:
        message = await accepted(await add_one(), postmark)
        assert await postmark.report(message, "Open", url=webhook_url(web)) == 200
        assert await postmark.report(message, "Delivery", url=webhook_url(web, "x" * 43)) == 200


async def test_without_a_password_there_is_no_route(postmark: FakePostmark, tmp_path: Path) -> None:
    async with pillarbox(postmark, tmp_path, POSTMARK_WEBHOOK_PASSWORD="") as web:
        message = await accepted(await add_one(), postmark)
        assert await postmark.report(message, "Delivery") == 404
        assert await postmark.report(message, "Delivery", url=web.url + ROUTE) == 404


async def test_a_report_that_can_not_be_read_is_asked_for_again(
    postmark: FakePostmark, tmp_path: Path
) -> None:
    async with pillarbox(postmark, tmp_path) as web:
        assert await postmark.post(["not", "an", "object"], webhook_url(web)) == 400
        assert await postmark.post({"RecordType": "A type of the future"}, webhook_url(web)) == 200


@pytest.mark.parametrize(
    "metadata",
    [{}, {"vdq_attempt": str(uuid7())}, {"vdq_queue_item": str(uuid7())}, {"vdq_attempt": ""}],
    ids=["no key", "another attempt", "another item", "the item's key alone"],
)
async def test_who_knows_the_password_and_an_id_can_not_forge_a_delivery(
    postmark: FakePostmark, tmp_path: Path, metadata: dict[str, str]
) -> None:
    async with pillarbox(postmark, tmp_path):
        item = await add_one()
        message = await accepted(item, postmark)
        ours = message.metadata if metadata else {}
        forged = {**ours, **metadata}
        assert await postmark.report(message, "Delivery", Metadata=forged) == 200
        await until(lambda: are_verdicts(["unproven"]))
        assert (await see(item))["state"] == "awaiting"
        assert await postmark.report(message, "Bounce/HardBounce") == 200
        await until_state(item, "errored")


async def test_who_knows_the_password_and_an_item_can_not_give_it_another_id(
    postmark: FakePostmark, tmp_path: Path
) -> None:
    async with pillarbox(postmark, tmp_path):
        item = await add_one()
        message = await accepted(item, postmark)
        await statements.run("UPDATE attempts SET message_id = NULL WHERE item_id = $1", item)
        keys = {"vdq_queue_item": str(item)}
        await postmark.report(message, "Bounce/Transient", MessageID="theirs", Metadata=keys)
        await until(lambda: are_verdicts(["orphan"]))
        [attempt] = await attempts_of(item)
        assert attempt["message_id"] is None


async def test_a_report_about_an_attempt_that_nobody_made_changes_nothing(
    postmark: FakePostmark, tmp_path: Path
) -> None:
    async with pillarbox(postmark, tmp_path):
        item = await add_one()
        message = await accepted(item, postmark)
        keys = {"vdq_queue_item": str(item), "vdq_attempt": str(uuid7())}
        await postmark.report(message, "Delivery", MessageID="theirs", Metadata=keys)
        await until(lambda: are_verdicts(["orphan"]))
        assert (await see(item))["state"] == "awaiting"
        assert len(await attempts_of(item)) == 1
        await postmark.report(message, "Delivery")
        await until_state(item, "succeeded")


async def are_verdicts(expected: list[str]) -> bool:
    return await verdicts() == expected


# --- failures of Postmark's


async def test_a_failure_of_postmarks_is_retried_and_says_that_it_may_have_been_sent(
    postmark: FakePostmark, tmp_path: Path
) -> None:
    postmark.next_sends = [http(500)]
    async with pillarbox(postmark, tmp_path):
        item = await add_one()
        await until_state(item, "awaiting")
    first, second = await attempts_of(item)
    assert (first["outcome"], first["may_have_been_sent"]) == ("try_later", True)
    assert second["outcome"] == "accepted"
    assert postmark.requests["send"] == 2


async def test_a_failure_that_took_the_message_after_all_is_found_and_not_repeated(
    postmark: FakePostmark, tmp_path: Path
) -> None:
    """Field report 20."""
    postmark.next_sends, postmark.accepted_before_fault = [http(503)], True
    async with pillarbox(postmark, tmp_path):
        item = await add_one()
        await until_state(item, "awaiting")
        assert postmark.by_item == {str(item): 1}
        [message] = postmark.messages.values()
        await postmark.report(message, "Delivery")
        await until_state(item, "succeeded")
    assert postmark.requests["send"] == 1


async def test_a_failure_is_held_for_a_person_when_only_safe_retries_are_wanted(
    postmark: FakePostmark, tmp_path: Path
) -> None:
    postmark.next_sends = [http(500)]
    async with pillarbox(postmark, tmp_path, DISPATCH_RETRY_5XX="when_safe"):
        item = await add_one()
        await until_state(item, "errored")
    assert (await see(item))["error_kind"] == "outcome_unknown"
    assert postmark.requests["send"] == 1


async def test_an_inactive_receiver_is_told_at_once(postmark: FakePostmark, tmp_path: Path) -> None:
    postmark.for_receiver = {str(ADA["email"]): refuse(406)}
    async with pillarbox(postmark, tmp_path):
        item = await add_one()
        await until_state(item, "errored")
    row = await see(item)
    assert (row["error_kind"], postmark.requests["send"]) == ("rejected", 1)
