"""What becomes of files between the caller and the transport."""

import asyncio
import contextvars
import io
import json
import re
import shutil
import uuid
from pathlib import Path
from typing import Any

import pytest
from arvel.kernel import Application

from app.items import Inline, file_store
from app.items.attachments import load_files
from app.items.file_store import FileMissing
from app.models import statements
from app.models.attachment import Attachment
from app.models.queries import claim as claiming
from app.models.queue_item import QueueItem
from app.transports.contract import File
from tests.feature.compose.conftest import Published
from tests.feature.compose.given import count_rows, email, refusal_of_email, rows_of

PNG = b"\x89PNG\r\n\x1a\n" + bytes(40)
pytestmark = pytest.mark.usefixtures("published")


async def files_sent_with(item: QueueItem) -> tuple[File, ...]:
    """The files that a worker hands to the transport."""
    row = await claiming.claim(item.id, uuid.uuid7(), 40.0, "worker")
    assert row is not None
    return await load_files(json.loads(row["files"] or "[]"))


def stored_files() -> list[Path]:
    return sorted(path for path in (file_store.root() / "blobs").rglob("*") if path.is_file())


async def test_files_arrive_in_order_with_their_names_types_and_bytes(tmp_path: Path) -> None:
    path = tmp_path / "anything.bin"
    path.write_bytes(b"a,b\n1,2\n")
    [item] = await email(
        html="<img src='cid:logo@shop'>",
        attachments={
            "invoice.pdf": b"%PDF-1.7 ...",
            "numbers.csv": path,
            "notes.txt": io.BytesIO(b"some notes"),
            "logo.png": Inline(PNG, "logo@shop"),
        },
    )
    assert await files_sent_with(item) == (
        File("invoice.pdf", "application/pdf", b"%PDF-1.7 ..."),
        File("numbers.csv", "text/csv", b"a,b\n1,2\n"),
        File("notes.txt", "text/plain", b"some notes"),
        File("logo.png", "image/png", PNG, "logo@shop"),
    )


async def test_all_receivers_get_the_files(application: Application) -> None:
    items = await email(cc=[{"email": "b@example.com"}], attachments={"a.txt": b"text"})
    for item in items:
        assert [file.content for file in await files_sent_with(item)] == [b"text"]


async def test_a_content_is_stored_once_whatever_it_is_called() -> None:
    await email(attachments={"a.txt": b"same", "b.txt": b"same"})
    await email(attachments={"c.txt": b"same"})
    assert len(stored_files()) == 1
    assert len(await rows_of("attachments", "id")) == 3


async def test_the_same_content_at_the_same_time_is_stored_once() -> None:
    results = await asyncio.gather(
        *(email(attachments={f"{n}.txt": b"contended", "own": bytes([n])}) for n in range(12))
    )
    for [item] in results:
        assert (await files_sent_with(item))[0].content == b"contended"
    assert len(stored_files()) == 13


@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/passwd", "a/b\\c", "CON", "x" * 255])
async def test_no_name_becomes_part_of_a_path(name: str) -> None:
    [item] = await email(attachments={name: b"harmless"})
    assert (await files_sent_with(item))[0].name == name
    [path] = stored_files()
    assert re.fullmatch(r"[0-9a-f]{64}-[0-9a-f]{32}", path.name)
    assert path.parent.parent == file_store.root() / "blobs"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("a\r\nSet-Cookie: x", "one line"),
        ("a\0b", "NUL"),
        ("invoice\u202efdp.exe", "direction"),
        ("x" * 256, "255"),
        ("", "name the file"),
        (7, "text"),
    ],
)
async def test_a_name_that_could_mislead_is_refused(name: Any, words: str) -> None:
    """Field report 48."""
    errors = await refusal_of_email(attachments={name: b"x"})
    assert words in errors["attachments.0"][0]
    assert await count_rows() == 0


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("/etc/passwd", "pathlib.Path"),
        (io.StringIO("text"), "binary mode"),
        (Path("/nonexistent"), "No such file"),
        (Path("/"), "directory"),
        (Inline(PNG, "<logo>"), "content id"),
        (Inline(PNG, "a\r\nb"), "content id"),
        (Inline(PNG, "logo", "image"), "media type"),
        (None, "bytes"),
    ],
)
async def test_what_can_not_be_attached_is_refused(content: Any, words: str) -> None:
    errors = await refusal_of_email(attachments={"file": content})
    assert words in errors["attachments.file"][0]
    assert await count_rows() == 0


async def test_two_files_may_not_have_one_content_id() -> None:
    errors = await refusal_of_email(attachments={"a": Inline(PNG, "x"), "b": Inline(PNG, "x")})
    assert errors == {"attachments.b": ["The content id is given twice."]}


async def test_files_and_texts_together_must_not_be_too_big(application: Application) -> None:
    application.make("config").set("dispatch.max_message_bytes", 1000)
    await email(text="x" * 500, attachments={"a": b"y" * 250, "b": b"z" * 250})
    before = await count_rows()
    errors = await refusal_of_email(text="x" * 500, attachments={"a": b"y" * 250, "b": b"z" * 251})
    assert "1,000 bytes" in errors["attachments.b"][0]
    assert "1,000 bytes" in (await refusal_of_email(html="x" * 1001))["text"][0]
    assert await count_rows() == before


async def test_files_of_an_earlier_message_can_be_sent_again() -> None:
    await email(attachments={"a.txt": b"A", "b.txt": b"B"})
    earlier = await Attachment.order_by("name").get()
    [item] = await email(attachments=[earlier[1], earlier[0].id])
    assert [file.name for file in await files_sent_with(item)] == ["b.txt", "a.txt"]
    assert len(await rows_of("attachments", "id")) == 2


async def test_a_file_that_was_cleaned_away_can_not_be_sent_again() -> None:
    """Field report 79."""
    await email(attachments={"a.txt": b"A"})
    [attachment] = await Attachment.all()
    await statements.run("UPDATE blobs SET removed_at = now()")
    before = await count_rows()
    errors = await refusal_of_email(attachments=[attachment])
    assert errors == {"attachments.0": ["Its file was cleaned away: attach the file again."]}
    assert await count_rows() == before


async def test_an_attachment_that_does_not_exist_is_named() -> None:
    errors = await refusal_of_email(attachments=[uuid.uuid7()])
    assert errors == {"attachments.0": ["There is no such attachment."]}


async def test_a_cleaned_content_that_is_attached_again_gets_a_new_file() -> None:
    [first] = await email(attachments={"a.txt": b"A"})
    [old] = stored_files()
    await statements.run("UPDATE blobs SET removed_at = now()")
    [second] = await email(attachments={"a.txt": b"A"})
    old.unlink()
    assert [file.content for file in await files_sent_with(second)] == [b"A"]
    assert [file.content for file in await files_sent_with(first)] == [b"A"]


async def test_clean_up_waits_for_a_message_that_is_being_written(
    application: Application,
) -> None:
    await email(attachments={"a.txt": b"A"})
    clean = "SELECT sha256 FROM blobs WHERE removed_at IS NULL FOR UPDATE SKIP LOCKED"

    async def free_files() -> int:
        return len(await statements.run(clean))

    async with application.make("db").transaction():
        await email(attachments={"again.txt": b"A"})
        assert await asyncio.create_task(free_files(), context=_outside()) == 0
    assert await free_files() == 1


def _outside() -> Any:
    """A context in which the caller's transaction is not open."""
    return contextvars.Context()


async def test_nothing_is_kept_of_a_message_whose_transaction_rolls_back(
    application: Application, published: Published
) -> None:
    with pytest.raises(ZeroDivisionError):
        await email_in_a_failing_transaction(application)
    assert await count_rows() == 0
    assert published.ids == []


async def email_in_a_failing_transaction(application: Application) -> None:
    async with application.make("db").transaction():
        await email(attachments={"a.txt": b"A"})
        _ = 1 / 0


async def test_a_lost_file_is_named_by_its_digest_and_mended_by_composing_anew() -> None:
    [item] = await email(attachments={"secret name.txt": b"A"})
    shutil.rmtree(file_store.root() / "blobs")
    with pytest.raises(FileMissing) as missing:
        await files_sent_with(item)
    assert "559aead08264d5795d3909718cdd05abd49572e8" in str(missing.value)
    assert "secret" not in str(missing.value)
    [again] = await email(attachments={"a.txt": b"A"})
    assert [file.content for file in await files_sent_with(again)] == [b"A"]
