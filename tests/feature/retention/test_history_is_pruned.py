"""What goes after HISTORY_KEEP_DAYS, what stays, and who is disturbed by it."""

import asyncio
import uuid
from uuid import UUID

import asyncpg
import pytest
from arvel.kernel import Application

from app.items import evidence, operate, resend_items, retention_history, retention_pace
from app.items.attachments import load_files
from app.items.operate import UnknownItem
from app.models import statements
from app.models.attachment import Attachment
from app.models.queries import claim as claiming
from local import Services
from tests.fakes.items import Put, event, put_item, raw, see
from tests.fakes.waiting import patience
from tests.feature.compose.given import email, sms
from tests.feature.retention.conftest import Keep
from tests.feature.retention.given import (
    DAY,
    count,
    email_with,
    finish,
    let_pass,
    prune,
    stored,
)

OF_ITEMS = (
    "queue_items",
    "item_search",
    "attempts",
    "delivery_events",
    "item_history",
    "failed_jobs",
    "email_messages",
    "email_receivers",
    "sms_messages",
    "email_attachments",
    "attachments",
    "attachment_downloads",
    "blobs",
)
NOT_DONE = ["queued", "delayed", "sending", "awaiting", "errored"]


async def left() -> dict[str, int]:
    """The tables that still have rows."""
    counts = {table: await count(table) for table in OF_ITEMS}
    return {table: n for table, n in counts.items() if n}


async def put_old(state: str = "succeeded", *, method: str = "email", days: float = 36) -> Put:
    """An item that was done so many days ago, with an attempt, an event and a line of history."""
    since = raw(f"now() - interval '{days} days'")
    done = {"finished_at": since} if state in ("succeeded", "cancelled", "unconfirmed") else {}
    item = await put_item(state, method=method, queued=since, last_updated=since, **done)
    [event_id] = await evidence.store("sandbox", [event("in_flight", item.attempt)])
    await evidence.apply(event_id)
    await statements.run(
        "INSERT INTO item_history (item_id, transition, to_state, actor)"
        " VALUES ($1, 'send', 'sending', 'worker')",
        item.id,
    )
    return item


async def test_without_the_setting_everything_is_kept(keep: Keep) -> None:
    await put_old(days=10_000)
    before = await left()
    assert await prune() is False
    assert await left() == before


@pytest.mark.parametrize("method", ["email", "sms"])
@pytest.mark.parametrize("state", ["succeeded", "cancelled", "unconfirmed"])
async def test_an_item_goes_with_all_that_belongs_to_it(
    keep: Keep, state: str, method: str
) -> None:
    keep(history_keep_days=35)
    item = await put_old(state, method=method)
    assert await count("delivery_events WHERE attempt_id IS NOT NULL") == 1
    assert await prune() is True
    assert await left() == {}
    assert await prune() is False
    with pytest.raises(UnknownItem):
        await operate.cancel(item.id, "operator")


async def test_a_composed_email_goes_with_its_receivers_and_files(keep: Keep) -> None:
    keep(history_keep_days=35)
    items = await email(
        cc=[{"email": "b@example.com"}],
        reply_to=[{"email": "c@example.com"}],
        attachments={"a.txt": b"A", "b.txt": b"B"},
    )
    for item in items:
        await finish(item, ago=36 * DAY)
    await finish(await sms(), ago=36 * DAY)
    await prune()
    assert await left() == {}
    assert stored() == []


async def test_an_item_that_was_done_more_recently_stays_whole(keep: Keep) -> None:
    keep(history_keep_days=35)
    await put_old(days=34.9)
    before = await left()
    assert await prune() is False
    assert await left() == before


@pytest.mark.parametrize("state", NOT_DONE)
async def test_an_item_that_is_not_done_stays_however_old_it_is(keep: Keep, state: str) -> None:
    keep(history_keep_days=35)
    await put_old(state, days=10_000)
    before = await left()
    assert await prune() is False
    assert await left() == before


async def test_content_stays_until_the_last_item_that_says_it_goes(keep: Keep) -> None:
    keep(history_keep_days=35)
    old, young = await email(cc=[{"email": "b@example.com"}], attachments={"a.txt": b"A"})
    await finish(old, ago=36 * DAY)
    await prune()
    assert await see_ids() == [young.id]
    assert await files_of(young.id) == [b"A"]
    await finish(young, ago=36 * DAY)
    await prune()
    assert await left() == {}


async def test_a_copy_outlives_its_original_and_can_still_be_sent(keep: Keep) -> None:
    keep(history_keep_days=35)
    original = await email_with(b"A")
    await finish(original)
    copy = (await resend_items.resend(original.id, "operator")).copy_id
    assert copy is not None
    await finish(original, ago=36 * DAY)
    await prune()
    assert await see_ids() == [copy]
    assert (await see(copy))["cloned_from"] == original.id
    assert await files_of(copy) == [b"A"]


async def test_a_file_that_a_newer_message_has_too_stays(keep: Keep) -> None:
    keep(history_keep_days=35)
    await finish(await email_with(b"shared", b"own"), ago=36 * DAY)
    newer = await email_with(b"shared")
    await prune()
    assert stored() == [b"shared"]
    assert await files_of(newer.id) == [b"shared"]


async def test_an_attachment_that_a_newer_message_has_too_stays(keep: Keep) -> None:
    keep(history_keep_days=35)
    await finish(await email_with(b"A"), ago=36 * DAY)
    [newer] = await email(attachments=list(await Attachment.all()))
    await prune()
    assert await files_of(newer.id) == [b"A"]


async def test_files_that_were_cleaned_away_before_are_forgotten_too(keep: Keep) -> None:
    keep(history_keep_days=35)
    await finish(await email_with(b"A"), ago=36 * DAY)
    await statements.run("UPDATE blobs SET removed_at = now()")
    await prune()
    assert await left() == {}


async def test_many_go_in_one_run_page_by_page(keep: Keep, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(history_keep_days=35)
    for module in (retention_history, retention_pace):
        monkeypatch.setattr(module, "PAGE", 3)
    for _ in range(10):
        await put_old()
    young = await put_old(days=1)
    await prune()
    assert await see_ids() == [young.id]


async def test_an_item_that_somebody_has_locked_is_left_without_waiting(
    keep: Keep, services: Services
) -> None:
    keep(history_keep_days=35)
    locked, _ = await put_old(), await put_old()
    async with holding(services, "SELECT FROM queue_items WHERE id = $1 FOR UPDATE", locked.id):
        async with asyncio.timeout(patience(2)):
            await prune()
        assert await see_ids() == [locked.id]
    await prune()
    assert await left() == {}


async def test_an_attachment_that_somebody_has_locked_goes_with_the_loose_ends(
    keep: Keep, services: Services
) -> None:
    keep(history_keep_days=35)
    item = await email_with(b"A", b"B")
    await finish(item, ago=36 * DAY)
    [first, _] = await Attachment.order_by("name").get()
    async with holding(services, "SELECT FROM attachments WHERE id = $1 FOR KEY SHARE", first.id):
        await prune()
    assert await left() == {"attachments": 1, "blobs": 1}
    assert stored() == [b"A"]
    await let_pass(DAY)
    await prune()
    assert await left() == {}
    assert stored() == []


def holding(services: Services, sql: str, *args: object) -> Holding:
    return Holding(services.database_url.replace("+asyncpg", ""), sql, args)


class Holding:
    """A transaction of somebody else, open for as long as the block lasts."""

    def __init__(self, url: str, sql: str, args: tuple[object, ...]) -> None:
        self._url, self._sql, self._args = url, sql, args

    async def __aenter__(self) -> None:
        self._connection = await asyncpg.connect(self._url)
        await self._connection.execute("BEGIN")
        await self._connection.fetch(self._sql, *self._args)

    async def __aexit__(self, *_: object) -> None:
        await self._connection.execute("ROLLBACK")
        await self._connection.close()


async def see_ids() -> list[UUID]:
    return [row["id"] for row in await statements.run("SELECT id FROM queue_items ORDER BY id")]


async def files_of(item: UUID) -> list[bytes]:
    """What a worker would send with the item."""
    import json

    row = await claiming.claim(item, uuid.uuid7(), 40.0, "worker")
    assert row is not None
    return [file.content for file in await load_files(json.loads(row["files"] or "[]"))]


async def test_every_table_that_belongs_to_an_item_is_thought_of(
    application: Application,
) -> None:
    """A new table with a foreign key to one of these must be pruned, or it stops all pruning."""
    rows = await statements.run(
        "SELECT DISTINCT conrelid::regclass::text AS name FROM pg_constraint WHERE contype = 'f'"
        " AND confrelid::regclass::text = ANY ($1::text[])",
        list(OF_ITEMS),
    )
    assert {row["name"] for row in rows} <= set(OF_ITEMS)


async def test_every_foreign_key_that_pruning_checks_has_an_index(
    application: Application,
) -> None:
    rows = await statements.run(
        """SELECT c.conrelid::regclass::text || '.' || a.attname AS name FROM pg_constraint c
        JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
        WHERE c.contype = 'f' AND c.confrelid::regclass::text = ANY ($1::text[])
            AND NOT EXISTS (SELECT FROM pg_index i
                WHERE i.indrelid = c.conrelid AND i.indkey[0] = c.conkey[1])""",
        list(OF_ITEMS),
    )
    assert [row["name"] for row in rows] == []
