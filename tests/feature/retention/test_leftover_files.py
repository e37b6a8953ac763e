"""Files on disk that belong to nothing."""

import contextlib
from pathlib import Path

import pytest
from arvel.kernel import Application

from app.items import file_store
from app.models import statements
from tests.feature.compose.given import email
from tests.feature.retention.conftest import Keep
from tests.feature.retention.given import (
    DAY,
    age,
    clean,
    email_with,
    let_pass,
    paths,
    prune,
    stored,
)


@pytest.fixture(autouse=True)
def clean_at_once(keep: Keep) -> None:
    keep(max_files_age_in_seconds=0)


async def leave_one(application: Application) -> Path:
    """The file of a message whose transaction is rolled back."""
    with contextlib.suppress(ZeroDivisionError):
        async with application.make("db").transaction():
            await email(attachments={"a.txt": b"left over"})
            _ = 1 / 0
    [path] = paths()
    return path


async def test_the_file_of_a_message_that_was_rolled_back_goes_a_day_later(
    application: Application,
) -> None:
    path = await leave_one(application)
    age(path, DAY - 60)
    assert await clean() is False
    assert stored() == [b"left over"]
    age(path, DAY + 60)
    await let_pass(DAY)
    assert await clean() is True
    assert stored() == []


async def test_a_file_whose_transaction_is_still_open_stays(application: Application) -> None:
    async with application.make("db").transaction():
        await email(attachments={"a.txt": b"A"})
        [path] = paths()
        age(path, 3600)
    assert await clean() is False
    assert stored() == [b"A"]


async def test_an_old_file_that_a_message_needs_stays() -> None:
    await email_with(b"A")
    [path] = paths()
    age(path, 1000 * DAY)
    await clean()
    assert stored() == [b"A"]


async def test_a_file_that_was_half_written_goes_a_day_later() -> None:
    await email_with(b"A")
    [path] = paths()
    half = path.with_name(f"{path.name}.{'0' * 32}.new")
    half.write_bytes(b"ha")
    await clean()
    assert half.exists()
    age(half, DAY + 60)
    await let_pass(DAY)
    await clean()
    assert stored() == [b"A"]


async def test_a_file_whose_removal_was_cut_short_goes_a_day_later() -> None:
    """A crash between the commit of ``removed_at`` and the deletion."""
    await email_with(b"A")
    [path] = paths()
    await statements.run("UPDATE blobs SET removed_at = now()")
    age(path, DAY + 60)
    await clean()
    assert stored() == []


async def test_a_file_that_somebody_else_put_there_stays() -> None:
    folder = file_store.root() / "blobs" / "aa"
    folder.mkdir(parents=True)
    for name in ("README", "backup.tar", "a" * 64):
        (folder / name).write_bytes(b"not ours")
        age(folder / name, 1000 * DAY)
    await clean()
    assert len(stored()) == 3


async def test_without_a_storage_folder_there_is_nothing_to_do() -> None:
    assert not file_store.root().exists()
    assert await clean() is False


async def test_pruning_history_looks_for_leftovers_too(
    application: Application, keep: Keep
) -> None:
    application.make("config").set("dispatch.max_files_age_in_seconds", None)
    keep(history_keep_days=35)
    age(await leave_one(application), DAY + 60)
    assert await clean() is False
    assert stored() == [b"left over"]
    assert await prune() is True
    assert stored() == []
