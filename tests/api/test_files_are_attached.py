"""Files by base64 and by form: bounded while they arrive, and gone when they are refused."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from app.access.caller import Bounds
from tests.api.given import count, email, fields, rows_of
from tests.fakes.access import bearer, put_token
from tests.fakes.web import Web, serving

FILE = {"name": "a.txt", "content": "Y29udGVudA=="}
CONTENT = b"content"


@pytest.fixture
def storage(tmp_path: Path) -> Path:
    return tmp_path / "storage"


def stored(storage: Path) -> list[bytes]:
    """The contents of all files on disk."""
    return [path.read_bytes() for path in storage.rglob("*") if path.is_file()]


def form(*files: tuple[str, tuple[Any, ...]], **changes: Any) -> list[tuple[str, tuple[Any, ...]]]:
    return [("message", (None, json.dumps(email(**changes)), "application/json")), *files]


async def test_files_come_as_base64(api: Web, storage: Path) -> None:
    image = {"name": "l.png", "content": "aW1n", "content_id": "logo", "content_type": "image/png"}
    answer = await api.post(
        "/api/emails", json=email(html="<img src='cid:logo'>", attachments=[FILE, image])
    )
    assert answer.status_code == 202, answer.text
    kept = {(row["name"], row["content_type"]) for row in await rows_of("attachments")}
    assert kept == {("a.txt", "text/plain"), ("l.png", "image/png")}
    ids = {row["content_id"] for row in await rows_of("email_attachments")}
    assert ids == {None, "logo"}
    assert sorted(stored(storage)) == [b"content", b"img"]


async def test_files_come_as_parts_of_a_form(api: Web, storage: Path) -> None:
    answer = await api.post(
        "/api/emails",
        files=form(
            ("file", ("Rechnung ä.pdf", CONTENT, "application/pdf")),
            ("logo", ("l.png", b"img", "image/png", {"Content-ID": "<logo@shop>"})),
        ),
    )
    assert answer.status_code == 202, answer.text
    kept = {(row["name"], row["content_type"]) for row in await rows_of("attachments")}
    assert kept == {("Rechnung ä.pdf", "application/pdf"), ("l.png", "image/png")}
    ids = {row["content_id"] for row in await rows_of("email_attachments")}
    assert ids == {None, "logo@shop"}


@pytest.mark.parametrize(
    ("files", "field"),
    [
        ([("file", ("a.txt", CONTENT))], "message"),
        ([*form(), *form()], "message"),
        (form(("note", (None, "text"))), "parts.1"),
        (form(("a", ("a.txt", b"1")), ("b", ("a.txt", b"2"))), "attachments"),
        (form(("a", ("a\u202etxt.exe", b"1"))), "attachments.0"),
        (form(("a", ("a.txt", b"1")), to=[]), "to"),
        (form(("a", ("a.txt", b"1", "nonsense"))), "attachments.a.txt"),
        (form(("a", ("a.txt", b"1", "text/plain", {"Content-ID": "<a b>"}))), "attachments.a.txt"),
    ],
)
async def test_a_form_that_can_not_be_used_leaves_nothing(
    api: Web, storage: Path, files: Any, field: str
) -> None:
    answer = await api.post("/api/emails", files=files)
    assert answer.status_code == 422, answer.text
    assert fields(answer) == {field}
    assert not stored(storage)
    assert await count("email_messages") == 0


def raw(*lines: str, boundary: str = "b") -> tuple[bytes, dict[str, str]]:
    kind = f"multipart/form-data; boundary={boundary}"
    return "\r\n".join(lines).encode(), {"content-type": kind}


PART = ("--b", 'Content-Disposition: form-data; name="a"; filename="a"')


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (*raw("--b", "nonsense", "", "x", "--b--", ""), 400),
        (*raw("no form at all"), 400),
        (*raw(*PART, "", "never ends"), 400),
        (*raw(*PART, "Content-Transfer-Encoding: base64", "", "eA==", "--b--", ""), 400),
        (*raw(*PART, *[f"X-{n}: 1" for n in range(9)], "", "x", "--b--", ""), 413),
        (*raw(*PART, f"X-A: {'a' * 5000}", "", "x", "--b--", ""), 413),
        (*raw(*(line for _ in range(52) for line in (*PART, "", "x")), "--b--", ""), 413),
        (b"x", {"content-type": "multipart/form-data"}, 400),
        (b"x", {"content-type": "text/plain"}, 415),
        (b"x", {"content-type": "application/json", "content-encoding": "gzip"}, 415),
        (b"{" * 100_000, {"content-type": "application/json"}, 400),
    ],
)
async def test_what_is_no_form_is_refused(
    api: Web, body: bytes, headers: dict[str, str], status: int
) -> None:
    answer = await api.post("/api/emails", content=body, headers=headers)
    assert answer.status_code == status, answer.text
    assert await count("email_messages") == 0


@pytest.fixture
async def small(database_url: str, redis_url: str, storage: Path) -> AsyncIterator[Web]:
    """An application that takes messages of 100 kB."""
    async with serving(STORAGE_PATH=str(storage), DISPATCH_MAX_MESSAGE_BYTES="100000") as running:
        running.client.headers.update(bearer(await put_token()))
        yield running


async def test_files_that_are_too_big_are_refused(small: Web, storage: Path) -> None:
    answer = await small.post("/api/emails", files=form(("a", ("a.bin", b"x" * 100_001))))
    assert (answer.status_code, fields(answer)) == (422, {"attachments.a.bin"})
    assert not stored(storage)


async def endless(start: bytes) -> AsyncIterator[bytes]:
    yield start
    for _ in range(40):
        yield b"x" * 100_000


@pytest.mark.parametrize(
    ("start", "kind"),
    [
        (b'--b\r\nContent-Disposition: form-data; name="a"; filename="a"\r\n\r\n', "multipart"),
        (b'{"text": "', "json"),
    ],
)
async def test_a_body_over_the_limit_is_cut_while_it_arrives(
    small: Web, storage: Path, start: bytes, kind: str
) -> None:
    types = {"multipart": "multipart/form-data; boundary=b", "json": "application/json"}
    answer = await small.post(
        "/api/emails", content=endless(start), headers={"content-type": types[kind]}
    )
    assert answer.status_code == 413
    assert not stored(storage)


async def test_what_the_cap_refuses_leaves_no_file(web: Web, storage: Path) -> None:
    token = bearer(await put_token("send", bounds=Bounds(hourly_cap=1)))
    two = email(to=[{"email": f"{n}@example.com"} for n in range(2)], attachments=[FILE])
    answer = await web.post("/api/emails", json=two, headers=token)
    assert answer.status_code == 429
    assert not stored(storage)
    assert await count("blobs") == 0


async def test_a_file_is_kept_once_however_often_its_request_is_repeated(
    api: Web, storage: Path
) -> None:
    for _ in range(2):
        answer = await api.post(
            "/api/emails", json=email(attachments=[FILE]), headers={"idempotency-key": "once"}
        )
        assert answer.status_code == 202
    assert stored(storage) == [CONTENT]
