"""Clean-up against whoever needs the same file, forced into each order on real connections.

Whoever is first, no message that can still be sent is left without its files.
"""

import asyncio
import json
import uuid
from collections.abc import Awaitable, Callable

import pytest
from arvel.kernel import Application

from app.items import operate, resend_items, retention_files
from app.items.attachments import load_files
from app.items.operate import NotApplied
from app.items.refusals import InvalidMessage
from app.models import statements
from app.models.attachment import Attachment
from app.models.queries import claim as claiming
from app.models.queries import clean_files
from app.models.queue_item import QueueItem
from tests.feature.compose.conftest import published
from tests.feature.compose.given import email
from tests.feature.retention.given import bounce, count, email_with, finish, stored
from tests.races.held import begin, held_after, meanwhile

__all__ = ["published"]
pytestmark = pytest.mark.usefixtures("published")

STEPS = ["lock", "mark_removed"]


async def clean() -> int:
    return await retention_files.clean_all(0)


async def compose_anew(done: QueueItem) -> uuid.UUID:
    return (await email_with(b"A")).id


async def attach_again(done: QueueItem) -> uuid.UUID:
    [item] = await email(attachments=[await Attachment.first()])
    return item.id


async def send_a_copy(done: QueueItem) -> uuid.UUID:
    copy = (await resend_items.resend(done.id, "operator")).copy_id
    assert copy is not None
    return copy


async def retry_after_a_bounce(done: QueueItem) -> uuid.UUID:
    await bounce(done)
    return (await operate.retry(done.id, "operator")).item_id


type Need = Callable[[QueueItem], Awaitable[uuid.UUID]]
NEEDS = [compose_anew, attach_again, send_a_copy, retry_after_a_bounce]


async def files_of(item: uuid.UUID) -> list[bytes]:
    """What a worker that sends the item now would send with it."""
    await statements.run("UPDATE queue_items SET due_at = now() WHERE id = $1", item)
    row = await claiming.claim(item, uuid.uuid7(), 40.0, "worker")
    assert row is not None
    return [file.content for file in await load_files(json.loads(row["files"]))]


async def done_email() -> QueueItem:
    item = await email_with(b"A")
    await finish(item)
    return item


@pytest.mark.parametrize("need", NEEDS)
async def test_who_needs_the_file_first_keeps_it(application: Application, need: Need) -> None:
    done = await done_email()
    async with application.make("db").transaction():
        item = await need(done)
        assert await meanwhile(clean()) == 0
    assert await clean() == 0
    assert await files_of(item) == [b"A"]


@pytest.mark.parametrize("step", STEPS)
async def test_who_composes_it_after_clean_up_stores_it_anew(step: str) -> None:
    done = await done_email()
    async with held_after(clean_files, step, clean):
        composing = await begin(compose_anew(done))
    item = await composing
    assert stored() == [b"A"]
    assert await files_of(item) == [b"A"]


@pytest.mark.parametrize("step", STEPS)
async def test_who_attaches_it_after_clean_up_is_refused(step: str) -> None:
    done = await done_email()
    async with held_after(clean_files, step, clean):
        attaching = await begin(attach_again(done))
    with pytest.raises(InvalidMessage, match="cleaned away"):
        await attaching
    assert await count("queue_items") == 1


@pytest.mark.parametrize("step", STEPS)
async def test_who_sends_a_copy_after_clean_up_is_refused(step: str) -> None:
    done = await done_email()
    async with held_after(clean_files, step, clean):
        copying = await begin(send_a_copy(done))
    with pytest.raises(NotApplied, match="cleaned away"):
        await copying
    assert await count("queue_items") == 1


async def test_who_retries_after_clean_up_is_refused() -> None:
    """The bounce comes after clean-up has asked, and before it commits."""
    done = await done_email()
    async with held_after(clean_files, "mark_removed", clean):
        await bounce(done)
        retrying = await begin(operate.retry(done.id, "operator"))
    with pytest.raises(NotApplied, match="cleaned away"):
        await retrying
    assert stored() == []


async def test_a_bounce_before_clean_up_asks_keeps_the_file() -> None:
    done = await done_email()
    async with held_after(clean_files, "lock", clean):
        retrying = await begin(retry_after_a_bounce(done))
    assert await files_of(await retrying) == [b"A"]


async def test_two_clean_ups_at_once_remove_each_file_once() -> None:
    for n in range(20):
        await finish(await email_with(bytes([n])))
    assert sum(await asyncio.gather(*(clean() for _ in range(4)))) == 20
    assert stored() == []


async def test_whatever_happens_at_once_no_item_is_left_without_its_files() -> None:
    done = await done_email()
    for _ in range(40):
        results = await asyncio.gather(
            compose_anew(done),
            clean(),
            send_a_copy(done),
            attach_again(done),
            clean(),
            return_exceptions=True,
        )
        for result in results:
            assert isinstance(result, int | uuid.UUID | NotApplied | InvalidMessage), result
            if isinstance(result, uuid.UUID):
                assert await files_of(result) == [b"A"]
        await statements.run(
            "UPDATE queue_items SET state = 'succeeded', lease_until = NULL, error_kind = NULL,"
            " finished_at = now() WHERE finished_at IS NULL"
        )
    await clean()
    assert await count("blobs WHERE removed_at IS NULL") == 0
