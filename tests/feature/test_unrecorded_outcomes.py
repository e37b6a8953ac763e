"""Outcomes that the database did not take are read back once it does."""

import json
import uuid
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.items import outcome, unrecorded
from app.models.queries import channels as queries
from app.settings import RetrySettings
from app.transports.contract import Accepted, NotSent, Outcome, Rejected, TryLater, Unknown
from tests.fakes.facts import attempt_of
from tests.fakes.items import Put, put_item, see, state_of


@pytest.mark.parametrize(
    ("result", "state"),
    [
        (Accepted("m-1"), "awaiting"),
        (Accepted("m-1", final=True), "succeeded"),
        (Rejected("no", "550"), "errored"),
        (TryLater("busy", "451"), "delayed"),
        (NotSent("down"), "delayed"),
        (Unknown("?"), "errored"),
    ],
)
async def test_a_kept_outcome_is_recorded_as_it_was_known(
    application: Any, result: Outcome, state: str
) -> None:
    item = await put_item("sending")
    unrecorded.keep(outcome.entry_for(attempt_of(item), result, RetrySettings()))
    assert await unrecorded.read_back() == 1
    assert await state_of(item.id) == state
    assert unrecorded.waiting() == []


async def test_it_corrects_an_item_that_was_called_unknown_meanwhile(application: Any) -> None:
    item = await put_item("errored", error_kind="outcome_unknown")
    unrecorded.keep(outcome.entry_for(attempt_of(item), Accepted("m-1"), RetrySettings()))
    await unrecorded.read_back()
    assert await state_of(item.id) == "awaiting"


async def test_what_is_read_back_twice_counts_once(application: Any) -> None:
    item = await put_item("sending")
    entry = outcome.entry_for(attempt_of(item), TryLater("busy"), RetrySettings())
    unrecorded.keep(entry)
    await unrecorded.read_back()
    unrecorded.keep(entry)
    await unrecorded.read_back()
    assert (await see(item.id))["retries"] == 1


async def test_an_outcome_whose_attempt_is_gone_means_lost_commits(application: Any) -> None:
    item = await put_item("queued", attempts=0)
    entry = outcome.entry_for(attempt_of(item), Accepted("m-1"), RetrySettings())
    unrecorded.keep(replace(entry, attempt_id=uuid.uuid7()))
    assert await unrecorded.read_back() == 0
    assert {channel.name for channel in await queries.find_paused()} == {"sandbox"}
    assert unrecorded.waiting() == []


async def keep_of_nobody(days: float) -> uuid.UUID:
    """An outcome that was kept so many days ago, of an item that is not there."""
    item = Put(uuid.uuid7(), uuid.uuid7(), "email")
    unrecorded.keep(outcome.entry_for(attempt_of(item), Accepted("m-1"), RetrySettings()))
    (file,) = unrecorded.waiting()
    kept = json.loads(file.read_text())
    file.write_text(json.dumps({**kept, "at": kept["at"] - days * 86_400}))
    return item.attempt


async def test_an_outcome_of_an_item_that_was_pruned_meanwhile_pauses_nobody(
    application: Any,
) -> None:
    application.make("config").set("dispatch.history_keep_days", 35)
    attempt = await keep_of_nobody(days=36)
    assert await unrecorded.read_back() == 0
    assert await queries.find_paused() == []
    assert unrecorded.waiting() == []
    folder = Path(application.config("dispatch.storage")) / "unrecorded"
    assert [file.name for file in folder.iterdir()] == [f"{attempt}.pruned"]


@pytest.mark.parametrize(("days", "keep"), [(36, None), (34, 35)])
async def test_an_item_that_can_not_have_been_pruned_is_lost(
    application: Any, days: float, keep: float | None
) -> None:
    application.make("config").set("dispatch.history_keep_days", keep)
    await keep_of_nobody(days)
    await unrecorded.read_back()
    assert [channel.name for channel in await queries.find_paused()] == ["sandbox"]


async def test_a_file_that_can_not_be_read_stops_nothing(application: Any) -> None:
    item = await put_item("sending")
    unrecorded.keep(outcome.entry_for(attempt_of(item), Accepted("m-1"), RetrySettings()))
    (file,) = unrecorded.waiting()
    (file.parent / "0-broken.json").write_text("{")
    assert await unrecorded.read_back() == 1
    assert await state_of(item.id) == "awaiting"
