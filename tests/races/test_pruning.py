"""Pruning against whoever is at the same item, content or file, forced into each order."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from arvel.kernel import Application

from app.items import evidence, resend_items, retention_history, sweep
from app.items.operate import NotApplied, UnknownItem
from app.items.refusals import InvalidMessage
from app.models import statements
from app.models.attachment import Attachment
from app.models.queries import prune, prune_content
from app.models.queue_item import QueueItem
from tests.fakes.items import event, put_attempt, state_of
from tests.feature.compose.conftest import published
from tests.feature.compose.given import email
from tests.feature.retention.given import DAY, count, email_with, finish, stored
from tests.races.held import begin, held_after, meanwhile
from tests.races.test_clean_up_of_files import files_of

__all__ = ["published"]
pytestmark = pytest.mark.usefixtures("published")


async def prune_all() -> int:
    return await retention_history.prune_items(35)


async def old_email() -> QueueItem:
    item = await email_with(b"A")
    await put_attempt(item.id, item.id, number=1)
    await statements.run("UPDATE queue_items SET attempt_id = id, attempts = 1")
    await finish(item, ago=36 * DAY)
    return item


async def report(item: QueueItem) -> str:
    """A bounce of the item comes in very late."""
    [event_id] = await evidence.store("sandbox", [event("failed", item.id)])
    return await evidence.apply_safely(event_id)


async def copy(item: QueueItem) -> object:
    return await resend_items.resend(item.id, "operator")


@pytest.mark.parametrize(("act", "state"), [(report, "errored"), (copy, "succeeded")])
async def test_who_is_at_an_item_first_keeps_it(
    application: Application, act: Callable[[QueueItem], Awaitable[object]], state: str
) -> None:
    item = await old_email()
    async with application.make("db").transaction():
        await act(item)
        assert await meanwhile(prune_all()) == 0
    assert await state_of(item.id) == state
    assert stored() == [b"A"]


async def test_a_report_after_pruning_changes_and_fails_nothing() -> None:
    item = await old_email()
    async with held_after(prune, "lock_old", prune_all):
        reporting = await begin(report(item))
    assert await reporting in ("gone", "orphan")
    assert await count("queue_items") == 0
    await statements.run("UPDATE delivery_events SET received_at = now() - interval '6 s'")
    await sweep.apply_events()
    rows = await statements.run("SELECT verdict, failures FROM delivery_events")
    assert [(row["verdict"], row["failures"]) for row in rows] == [("orphan", 0)]


async def test_a_copy_of_what_is_being_pruned_is_refused() -> None:
    item = await old_email()
    async with held_after(prune, "lock_old", prune_all):
        copying = await begin(copy(item))
    with pytest.raises(UnknownItem):
        await copying
    assert await count("queue_items") == 0


async def test_a_copy_of_another_item_of_an_email_keeps_the_content() -> None:
    first, second = await email(cc=[{"email": "b@example.com"}], attachments={"a.txt": b"A"})
    await finish(first, ago=36 * DAY)
    await finish(second)
    async with held_after(prune, "lock_old", prune_all):
        copying = await begin(resend_items.resend(second.id, "operator"))
    assert await files_of((await copying).copy_id) == [b"A"]


async def test_an_attachment_that_is_being_pruned_can_not_be_attached() -> None:
    await old_email()
    again = list(await Attachment.all())
    async with held_after(prune_content, "drop_attachments", prune_all):
        attaching = await begin(email(attachments=again))
    with pytest.raises(InvalidMessage, match="no such attachment"):
        await attaching
    assert await count("queue_items") == 0


async def test_an_attachment_that_is_being_attached_is_not_pruned(
    application: Application,
) -> None:
    await old_email()
    async with application.make("db").transaction():
        [item] = await email(attachments=list(await Attachment.all()))
        assert await meanwhile(prune_all()) == 1
    assert await files_of(item.id) == [b"A"]


async def test_a_content_that_is_composed_while_it_is_pruned_is_stored_anew() -> None:
    await old_email()
    async with held_after(prune_content, "drop_contents", prune_all):
        composing = await begin(email_with(b"A"))
    item = await composing
    assert stored() == [b"A"]
    assert await files_of(item.id) == [b"A"]


async def test_a_content_that_is_being_composed_is_not_pruned(application: Application) -> None:
    await old_email()
    async with application.make("db").transaction():
        item = await email_with(b"A")
        assert await meanwhile(prune_all()) == 1
    assert await files_of(item.id) == [b"A"]


async def test_several_who_prune_at_once_delete_each_item_once() -> None:
    for _ in range(40):
        await old_email()
    assert sum(await asyncio.gather(*(prune_all() for _ in range(4)))) == 40
    assert await count("queue_items") == 0


async def test_whatever_happens_at_once_no_item_is_left_without_its_files() -> None:
    for _ in range(30):
        item = await old_email()
        again = list(await Attachment.all())
        results = await asyncio.gather(
            prune_all(),
            email_with(b"A"),
            copy(item),
            report(item),
            email(attachments=again[:1]),
            prune_all(),
            return_exceptions=True,
        )
        for result in results:
            assert not isinstance(result, Exception) or isinstance(
                result, UnknownItem | NotApplied | InvalidMessage
            ), result
        rows = await statements.run("SELECT id FROM queue_items WHERE state = 'queued'")
        for row in rows:
            assert await files_of(row["id"]) == [b"A"]
        await statements.run(
            "UPDATE queue_items SET state = 'succeeded', lease_until = NULL, error_kind = NULL,"
            " finished_at = now() - interval '36 days'"
        )
    await prune_all()
    assert await count("queue_items") == 0
