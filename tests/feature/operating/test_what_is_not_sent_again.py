"""Resend is refused where it would be a mistake, before anything is written."""

import asyncio
import uuid
from typing import Any

import asyncpg
import pytest
from arvel.kernel import Application

from app.items import NotApplied, UnknownItem, cancel, resend
from app.items.operate_verdicts import Refusal
from app.models import statements
from app.models.sent_item import SentItem
from tests.fakes.items import put_item, see
from tests.fakes.waiting import until
from tests.feature.operating.conftest import Published
from tests.feature.operating.given import (
    bring_to,
    copies_of,
    count,
    email,
)

WRITTEN = ("queue_items", "item_search", "item_history", "email_receivers", "email_attachments")


async def rows() -> int:
    return sum([await count(table) for table in WRITTEN])


@pytest.mark.parametrize("state", ["queued", "sending", "awaiting", "delayed", "errored"])
async def test_what_is_not_done_is_not_sent_again(published: Published, state: str) -> None:
    item = await put_item(state)
    before = await rows()
    with pytest.raises(NotApplied, match=f"It is {state}") as refusal:
        await resend(item.id, "operator:1", confirm=True)
    assert (refusal.value.state, refusal.value.refusal) == (state, Refusal.STATE)
    assert await rows() == before
    assert published.ids == []


async def test_an_item_that_is_not_there_is_named(published: Published) -> None:
    missing = uuid.uuid7()
    with pytest.raises(UnknownItem, match=str(missing)):
        await resend(missing, "operator:1")


async def test_a_message_whose_files_were_cleaned_away_is_refused_before_anything_is_written(
    published: Published,
) -> None:
    """Field report 79."""
    [item] = await email(attachments={"a.txt": b"content"})
    await bring_to("succeeded", item.id)
    await statements.run("UPDATE blobs SET removed_at = now()")
    before = await rows()
    with pytest.raises(NotApplied, match="cleaned away"):
        await resend(item.id, "operator:1", confirm=True)
    assert await rows() == before


async def test_a_copy_waits_for_clean_up_and_learns_what_became_of_the_files(
    published: Published, database_url: str
) -> None:
    """The cleaner locks first and asks second; a copy comes in between."""
    [item] = await email(attachments={"a.txt": b"content"})
    await bring_to("succeeded", item.id)
    cleaner = await asyncpg.connect(database_url.replace("+asyncpg", ""))
    async with cleaner.transaction():
        await cleaner.execute("SELECT FROM blobs FOR UPDATE")
        copying = asyncio.create_task(resend(item.id, "operator:1"))
        await until(lambda: count("pg_stat_activity", "wait_event_type = 'Lock'"))
        await cleaner.execute("UPDATE blobs SET removed_at = now()")
    await cleaner.close()
    with pytest.raises(NotApplied, match="cleaned away"):
        await copying
    assert await copies_of(item.id) == []


async def test_clean_up_can_not_take_the_files_of_a_copy_that_is_being_made(
    published: Published, application: Application, database_url: str
) -> None:
    [item] = await email(attachments={"a.txt": b"content"})
    await bring_to("succeeded", item.id)
    cleaner = await asyncpg.connect(database_url.replace("+asyncpg", ""))
    async with application.make("db").transaction():
        await resend(item.id, "operator:1")
        locked = await cleaner.fetch("SELECT FROM blobs FOR UPDATE SKIP LOCKED")
    assert locked == []
    assert len(await cleaner.fetch("SELECT FROM blobs FOR UPDATE SKIP LOCKED")) == 1
    await cleaner.close()


async def put_doubtful(kind: str) -> uuid.UUID:
    """An item whose receiver may have the message."""
    if kind == "unconfirmed":
        return (await put_item("unconfirmed")).id
    item = await put_item("errored", error_kind="outcome_unknown")
    outcome = "unknown" if kind == "cancelled while unknown" else "try_later"
    await statements.run(
        "UPDATE attempts SET outcome = $2, may_have_been_sent = true WHERE id = $1",
        item.attempt,
        outcome,
    )
    await cancel(item.id, "operator:1", confirm=True)
    return item.id


@pytest.mark.parametrize(
    "kind", ["unconfirmed", "cancelled while unknown", "cancelled after a doubtful retry"]
)
async def test_what_may_have_arrived_is_sent_again_only_with_a_confirmation(
    published: Published, kind: str
) -> None:
    item_id = await put_doubtful(kind)
    with pytest.raises(NotApplied, match="may have it already") as refusal:
        await resend(item_id, "operator:1")
    assert refusal.value.refusal == Refusal.UNKNOWN
    assert await copies_of(item_id) == []
    await resend(item_id, "operator:1", confirm=True)
    assert len(await copies_of(item_id)) == 1


@pytest.mark.parametrize("columns", [{"outcome": "rejected"}, {"report": "failed"}])
async def test_what_was_cancelled_and_surely_has_not_arrived_needs_no_confirmation(
    published: Published, columns: dict[str, Any]
) -> None:
    item = await put_item("cancelled")
    [(name, value)] = columns.items()
    await statements.run(f"UPDATE attempts SET {name} = $1", value)
    await resend(item.id, "operator:1")
    never_sent = await put_item("cancelled", attempts=0)
    await resend(never_sent.id, "operator:1")


async def test_a_clone_is_refused_like_a_resend(published: Published) -> None:
    item = await put_item("unconfirmed")
    sent = await SentItem.find(item.id)
    assert sent is not None
    with pytest.raises(NotApplied, match="may have it already"):
        await sent.clone()
    copy = await sent.clone(confirm=True)
    assert (await see(copy.id))["cloned_from"] == item.id
