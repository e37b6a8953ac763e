"""Resend: the same message as a new item."""

import contextlib
import re
import uuid

from arvel.kernel import Application

from app.commands.story import describe_story
from app.items import resend, schedule_queue_item
from app.items.retention_history import prune_items
from app.models import statements
from app.models.queries import claim
from app.models.queries import resend as queries
from app.models.queries.browse import find_story
from app.models.queries.operate import Decision
from app.models.queries.resend import Copying
from app.models.queue_item import QueueItem
from app.models.sent_item import SentItem
from app.models.statements import Statements
from tests.fakes.items import history_of, put_item, state_of
from tests.feature.operating.conftest import Published
from tests.feature.operating.given import (
    ANNA,
    BOB,
    bring_to,
    copies_of,
    count,
    email,
    find_item,
    sms,
)
from tests.feature.test_plans_of_hot_statements import BIG, plan_of

WRITTEN = ("queue_items", "item_search", "item_history", "email_receivers", "email_attachments")


class RolledBack(Exception):
    """Ends a transaction without its commit."""


async def rows() -> int:
    return sum([await count(table) for table in WRITTEN])


async def test_the_copy_is_the_same_message_and_a_new_item(published: Published) -> None:
    """Field report 89: the origin stays with the original, to which the copy leads."""
    items = await email(
        to=[ANNA],
        cc=[BOB],
        reply_to=[{"email": "help@example.com"}],
        tags=["a"],
        origin=("Order", 2**40),
        headers={"X-Order": "7"},
        attachments={"a.txt": b"content"},
        priority="high",
    )
    original = items[1]
    await bring_to("succeeded", original.id)
    published.ids.clear()

    verdict = await resend(original.id, "operator:1")

    [copy] = await copies_of(original.id)
    assert verdict.copy_id == copy.id
    assert published.ids == [copy.id]
    assert (copy.state, copy.attempts, copy.origin) == ("queued", 0, None)
    assert (await find_item(original.id)).origin == ("Order", str(2**40))
    for same in ("method", "priority", "receiver_name", "receiver_address", "role", "tags"):
        assert getattr(copy, same) == getattr(original, same)
    assert copy.queued > original.queued


async def test_the_copy_is_sent_with_what_the_original_was_sent_with(
    published: Published,
) -> None:
    [original, _] = await email(
        cc=[BOB], reply_to=[BOB], headers={"X-Order": "7"}, attachments={"a.txt": b"content"}
    )
    first = await claim.claim(original.id, uuid.uuid7(), 40.0, "worker")
    await bring_to("succeeded", original.id)
    verdict = await resend(original.id, "operator:1")
    assert verdict.copy_id is not None
    second = await claim.claim(verdict.copy_id, uuid.uuid7(), 40.0, "worker")
    assert first is not None
    assert second is not None
    for same in ("sender_address", "subject", "text", "headers", "receivers", "files", "tags"):
        assert first[same] == second[same]
    assert first["files"] != "[]"


async def test_the_clocks_of_a_copy_start_anew(published: Published) -> None:
    original = await sms()
    await bring_to("cancelled", original.id)
    await statements.run(
        "UPDATE queue_items SET expires_at = now() - interval '1 h', retries = 5,"
        " send_at = now() - interval '2 h', result = 'too late' WHERE id = $1",
        original.id,
    )
    verdict = await resend(original.id, "operator:1")
    assert verdict.copy_id is not None
    copy = await find_item(verdict.copy_id)
    assert (copy.expires_at, copy.send_at, copy.retries, copy.result) == (None, None, 0, None)
    assert await claim.claim(copy.id, uuid.uuid7(), 40.0, "worker") is not None


async def test_a_copy_takes_the_channel_of_a_new_message(published: Published) -> None:
    item = await put_item("succeeded", channel="smtp", receiver="real@example.com")
    verdict = await resend(item.id, "operator:1")
    assert verdict.channel == "sandbox"
    [copy] = await copies_of(item.id)
    assert copy.channel == "sandbox"


async def test_a_dry_run_writes_nothing(published: Published) -> None:
    item = await put_item("succeeded")
    before = await rows()
    verdict = await resend(item.id, "operator:1", dry_run=True)
    assert (verdict.state, verdict.copy_id) == ("queued", None)
    assert await rows() == before
    assert published.ids == []


async def test_a_copy_is_published_after_the_commit_and_only_then(
    published: Published, application: Application
) -> None:
    item = await put_item("succeeded")
    with contextlib.suppress(RolledBack):
        async with application.make("db").transaction():
            await resend(item.id, "operator:1")
            raise RolledBack
    assert (await copies_of(item.id), published.ids) == ([], [])
    async with application.make("db").transaction():
        verdict = await resend(item.id, "operator:1")
        assert published.ids == []
    assert published.ids == [verdict.copy_id]


async def test_the_history_says_who_sent_it_again(published: Published) -> None:
    item = await put_item("succeeded")
    verdict = await resend(item.id, "operator:1")
    assert verdict.copy_id is not None
    assert await history_of(item.id) == [("resend", "succeeded", "succeeded")]
    assert await history_of(verdict.copy_id) == [("resend", None, "queued")]
    actors = await statements.run("SELECT DISTINCT actor FROM item_history")
    assert [row["actor"] for row in actors] == ["operator:1"]
    assert await state_of(item.id) == "succeeded"


async def test_a_copy_is_shown_with_where_it_comes_from(published: Published) -> None:
    item = await put_item("succeeded")
    verdict = await resend(item.id, "operator:1")
    assert verdict.copy_id is not None
    story = await find_story(verdict.copy_id)
    assert story is not None
    shown = "\n".join(describe_story(story))
    assert f"Copy of   {item.id}" in shown
    assert "resend: new → queued by operator:1." in shown


async def test_copying_reads_no_big_table_from_end_to_end(database: Statements) -> None:
    plan = await plan_of(database, queries.COPY)
    assert not re.findall(rf"Seq Scan on (?:{'|'.join(BIG)})\b", plan), plan


async def test_a_copy_whose_answer_was_lost_is_not_made_twice(published: Published) -> None:
    item = await put_item("succeeded")
    copying, decision = Copying(item.id, uuid.uuid7(), "sandbox"), Decision("operator:1")
    for _ in range(2):
        answers = await queries.copy_page([copying], decision, scheduled=True)
        assert answers[item.id].copied
    assert len(await copies_of(item.id)) == 1


async def test_a_copy_outlives_its_original(published: Published) -> None:
    [original] = await email(attachments={"a.txt": b"content"})
    await bring_to("succeeded", original.id)
    verdict = await resend(original.id, "operator:1")
    assert verdict.copy_id is not None
    await statements.run(
        "UPDATE queue_items SET finished_at = now() - interval '40 days' WHERE id = $1",
        original.id,
    )
    assert await prune_items(35) == 1
    assert await QueueItem.find(original.id) is None
    assert (await find_item(verdict.copy_id)).cloned_from == original.id
    row = await claim.claim(verdict.copy_id, uuid.uuid7(), 40.0, "worker")
    assert row is not None
    assert (row["subject"], "a.txt" in row["files"]) == ("Hello", True)


async def test_a_clone_waits_until_it_is_scheduled(published: Published) -> None:
    item = await put_item("succeeded")
    sent = await SentItem.find(item.id)
    assert sent is not None
    copy = await sent.clone()
    assert (copy.cloned_from, copy.due_at) == (item.id, None)
    assert await claim.claim(copy.id, uuid.uuid7(), 40.0, "worker") is None
    assert await schedule_queue_item(copy)
    assert published.ids == [copy.id]
