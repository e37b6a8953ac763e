"""When the files of attachments go, and what is said about messages whose files are gone."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

import pytest
from arvel.kernel import Application

from app.items import operate, resend_items, retention_files, retention_pace, sweep
from app.items.operate import NotApplied
from app.models import statements
from app.models.attachment import Attachment
from app.models.queue_item import QueueItem
from app.worker.queue import Queue
from app.worker.ticker import Ticker
from app.worker.ticks import configured_ticks
from tests.fakes.items import history_of, see
from tests.fakes.waiting import until
from tests.feature.compose.given import email, refusal_of_email
from tests.feature.retention.conftest import Keep
from tests.feature.retention.given import (
    DAY,
    age,
    bounce,
    clean,
    count,
    email_with,
    finish,
    let_pass,
    paths,
    stored,
)
from tests.worker.test_ticker import ticking_by

NOT_DONE = {
    "queued": "",
    "delayed": "",
    "sending": ", lease_until = now(), attempt_id = id",
    "awaiting": ", attempt_id = id",
    "errored": ", error_kind = 'rejected'",
}


async def test_without_the_setting_nothing_is_ever_removed(keep: Keep) -> None:
    item = await email_with(b"A")
    await finish(item, ago=1000 * DAY)
    for path in paths():
        age(path, 1000 * DAY)
    assert await clean() is False
    assert stored() == [b"A"]
    assert "prune_attachments" not in {tick.name for tick in configured_ticks()}


@pytest.mark.parametrize("state", ["succeeded", "unconfirmed", "cancelled"])
async def test_at_0_a_file_goes_as_soon_as_its_item_is_done(keep: Keep, state: str) -> None:
    keep(max_files_age_in_seconds=0)
    item = await email_with(b"A", b"B")
    await finish(item, state=state)
    assert await clean() is True
    assert stored() == []
    assert await clean() is False


async def test_what_was_attached_stays_known(keep: Keep) -> None:
    keep(max_files_age_in_seconds=0)
    await finish(await email_with(b"A", b"B"))
    await clean()
    names = [attachment.name for attachment in await Attachment.order_by("name").get()]
    assert names == ["0.txt", "1.txt"]
    assert await count("blobs WHERE removed_at IS NOT NULL") == 2


@pytest.mark.parametrize("state", NOT_DONE)
async def test_the_file_of_an_item_that_is_not_done_stays(keep: Keep, state: str) -> None:
    keep(max_files_age_in_seconds=0)
    item = await email_with(b"A")
    await statements.run(
        f"UPDATE queue_items SET state = $2 {NOT_DONE[state]} WHERE id = $1", item.id, state
    )
    assert await clean() is False
    assert stored() == [b"A"]


async def test_a_file_goes_only_once_every_receiver_is_done(keep: Keep) -> None:
    keep(max_files_age_in_seconds=0)
    first, second = await email(cc=[{"email": "b@example.com"}], attachments={"a.txt": b"A"})
    await finish(first)
    await clean()
    assert stored() == [b"A"]
    await finish(second)
    await clean()
    assert stored() == []


async def test_a_file_shared_with_a_scheduled_message_is_kept(keep: Keep) -> None:
    """Field report 79."""
    keep(max_files_age_in_seconds=0)
    done = await email_with(b"shared", b"own")
    await email_with(b"shared", send_at=datetime.now(UTC) + timedelta(days=1))
    await finish(done)
    await clean()
    assert stored() == [b"shared"]


async def test_a_file_of_an_abstract_email_is_kept(keep: Keep) -> None:
    from app.items import add_abstract_email
    from tests.feature.compose.given import ANNA, SHOP

    keep(max_files_age_in_seconds=0)
    files = {"a.txt": b"A"}
    await add_abstract_email(sender=SHOP, to=[ANNA], subject="s", text="t", attachments=files)
    await clean()
    assert stored() == [b"A"]


async def test_an_attachment_that_a_later_message_has_too_is_kept(keep: Keep) -> None:
    keep(max_files_age_in_seconds=0)
    first = await email_with(b"A")
    [later] = await email(attachments=list(await Attachment.all()))
    await finish(first)
    await clean()
    assert stored() == [b"A"]
    await finish(later)
    await clean()
    assert stored() == []


async def test_a_file_goes_so_many_seconds_after_its_last_item_was_done(keep: Keep) -> None:
    keep(max_files_age_in_seconds=600)
    await finish(await email_with(b"not yet"), ago=590)
    await finish(await email_with(b"old"), ago=610)
    await finish(await email_with(b"old, but shared"), ago=610)
    await finish(await email_with(b"old, but shared"), ago=10)
    await clean()
    assert stored() == [b"not yet", b"old, but shared"]


async def cancel(item: QueueItem) -> None:
    await operate.cancel(item.id, "operator")


async def expire(item: QueueItem) -> None:
    await statements.run("UPDATE queue_items SET expires_at = now() WHERE id = $1", item.id)
    await sweep.expire()


@pytest.mark.parametrize("end", [cancel, expire])
async def test_the_way_in_which_an_item_came_to_be_done_does_not_matter(
    keep: Keep, end: Callable[[QueueItem], Awaitable[None]]
) -> None:
    keep(max_files_age_in_seconds=0)
    await end(await email_with(b"A"))
    await clean()
    assert stored() == []


async def test_a_dry_run_removes_nothing(keep: Keep) -> None:
    keep(max_files_age_in_seconds=0)
    item = await email_with(b"A")
    await operate.cancel(item.id, "operator", dry_run=True)
    await clean()
    assert stored() == [b"A"]


async def test_a_worker_removes_the_file_within_seconds(
    keep: Keep, application: Application
) -> None:
    keep(max_files_age_in_seconds=0)
    queue: Queue = application.make("queue")
    [tick] = [tick for tick in configured_ticks() if tick.name == "prune_attachments"]
    ticker = Ticker([tick], "a worker", queue.run_here)
    async with ticking_by(ticker):
        await cancel(await email_with(b"A"))
        ticker.nudge()
        await until(nothing_is_stored, seconds=8)


async def nothing_is_stored() -> bool:
    return stored() == []


async def test_a_file_that_is_missing_already_stops_nothing(keep: Keep) -> None:
    """Field report 79."""
    keep(max_files_age_in_seconds=0)
    item = await email_with(b"A", b"B", b"C")
    paths()[0].unlink()
    await finish(item)
    assert await clean() is True
    assert stored() == []
    assert await count("blobs WHERE removed_at IS NULL") == 0


async def test_more_files_than_fit_in_a_page_go_in_one_run(
    keep: Keep, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(max_files_age_in_seconds=0)
    for module in (retention_files, retention_pace):
        monkeypatch.setattr(module, "PAGE", 3)
    await finish(await email_with(*(bytes([n]) for n in range(10))))
    await finish(await email_with(*(bytes([n]) for n in range(10, 20))), ago=DAY)
    await clean()
    assert stored() == []


async def test_what_was_done_before_the_setting_was_made_goes_too(keep: Keep) -> None:
    await finish(await email_with(b"A"), ago=30 * DAY)
    keep(max_files_age_in_seconds=0)
    await clean()
    assert stored() == []


async def test_what_became_done_while_no_worker_ran_is_found_within_a_quarter_of_an_hour(
    keep: Keep,
) -> None:
    keep(max_files_age_in_seconds=0)
    await clean()
    await finish(await email_with(b"A"), ago=3600)
    await let_pass(899 - 5)
    await clean()
    assert stored() == [b"A"]
    await let_pass(10)
    await clean()
    assert stored() == []


async def test_a_cleaned_file_that_is_attached_again_lives_as_long_as_its_new_item(
    keep: Keep,
) -> None:
    keep(max_files_age_in_seconds=0)
    await finish(await email_with(b"A"))
    await clean()
    again = await email_with(b"A")
    await clean()
    assert stored() == [b"A"]
    await finish(again)
    await clean()
    assert stored() == []


async def test_a_retry_without_its_files_is_refused_before_anything_is_written(
    keep: Keep,
) -> None:
    keep(max_files_age_in_seconds=0)
    item = await email_with(b"A")
    await finish(item)
    await clean()
    await bounce(item)
    before, history = await see(item.id), await history_of(item.id)
    with pytest.raises(NotApplied, match="cleaned away"):
        await operate.retry(item.id, "operator")
    assert await see(item.id) == before
    assert await history_of(item.id) == history


async def test_a_copy_of_a_message_without_its_files_is_refused_before_anything_is_written(
    keep: Keep,
) -> None:
    """Field report 79."""
    keep(max_files_age_in_seconds=0)
    item = await email_with(b"A")
    await finish(item)
    await clean()
    with pytest.raises(NotApplied, match="cleaned away"):
        await resend_items.resend(item.id, "operator")
    assert await count("queue_items") == 1
    assert await history_of(item.id) == []


async def test_a_copy_keeps_the_files_of_its_original(keep: Keep) -> None:
    keep(max_files_age_in_seconds=0)
    item = await email_with(b"A")
    await finish(item)
    await resend_items.resend(item.id, "operator")
    await clean()
    assert stored() == [b"A"]


async def test_an_attachment_that_was_cleaned_away_can_not_be_attached_again(keep: Keep) -> None:
    keep(max_files_age_in_seconds=0)
    await finish(await email_with(b"A"))
    await clean()
    errors = await refusal_of_email(attachments=list(await Attachment.all()))
    assert errors == {"attachments.0": ["Its file was cleaned away: attach the file again."]}
