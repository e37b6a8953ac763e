"""Files: who gets them, how they are sent, and links that stand for a token for a minute.

Field report 78.
"""

import time
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from app.access import links
from app.access.permissions import PERMISSIONS
from app.access.tokens import Wish, issue
from app.commands.story import describe_story
from app.controllers import download
from app.items import add_email
from app.models import statements
from app.models.queries.browse import find_story
from tests.fakes.access import bearer, put_token, put_user
from tests.fakes.web import Web

CONTENT = b"<script>alert(1)</script>" * 30_000
READING = ("read_queueitem", "read_content")


async def attached(name: str = "page.html", content: bytes = CONTENT) -> tuple[UUID, UUID]:
    """An item, and its file."""
    people: dict[str, Any] = {"sender": {"email": "a@b.example"}, "to": [{"email": "c@d.example"}]}
    [item] = await add_email(**people, subject="Hi", text="Hi", attachments={"x.html": content})
    [row] = await statements.run(
        "UPDATE attachments SET name = $1 WHERE id = (SELECT attachment_id FROM email_attachments"
        " WHERE email_id = $2) RETURNING id",
        name,
        item.email_id,
    )
    return item.id, row["id"]


async def linked(web: Web, key: UUID, token: str) -> str:
    made = await web.client.post(f"/api/attachments/{key}/links", headers=bearer(token))
    assert made.status_code == 201
    return str(made.json()["url"])


async def clean_away() -> None:
    await statements.run("UPDATE blobs SET removed_at = now()")


async def test_a_file_is_sent_as_it_was_and_only_to_be_saved(
    web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(download, "PIECE", 1000)
    _, key = await attached()
    token = bearer(await put_token(*READING))
    answer = await web.client.get(f"/api/attachments/{key}", headers=token)
    assert answer.status_code == 200
    assert answer.content == CONTENT
    assert answer.headers["content-length"] == str(len(CONTENT))
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["content-disposition"].startswith("attachment;")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in answer.headers["content-security-policy"]
    assert answer.headers["cache-control"] == "private, no-store"
    assert answer.headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize(
    ("name", "plain", "encoded"),
    [
        ("Größe 1.pdf", "Gr__e 1.pdf", "Gr%C3%B6%C3%9Fe%201.pdf"),
        ("../../etc/passwd", ".._.._etc_passwd", "..%2F..%2Fetc%2Fpasswd"),
        ('a"; filename="b.exe', "a__ filename__b.exe", "a%22%3B%20filename%3D%22b.exe"),
        ("a\r\nSet-Cookie: x=1", "a__Set-Cookie_ x_1", "a__Set-Cookie%3A%20x%3D1"),
        ("\u202egpj.exe", "_gpj.exe", "_gpj.exe"),
        ("100%.txt", "100_.txt", "100%25.txt"),
    ],
)
async def test_a_file_name_can_say_nothing_but_a_name(
    api: Web, name: str, plain: str, encoded: str
) -> None:
    _, key = await attached(name)
    answer = await api.client.get(f"/api/attachments/{key}")
    expected = f"attachment; filename=\"{plain}\"; filename*=UTF-8''{encoded}"
    assert answer.headers["content-disposition"] == expected
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("lacking", READING)
async def test_for_who_may_not_read_items_there_is_no_file(web: Web, lacking: str) -> None:
    _, key = await attached()
    token = bearer(await put_token(*(set(PERMISSIONS) - {lacking})))
    for there in (key, uuid.uuid7()):
        found = await web.client.get(f"/api/attachments/{there}", headers=token)
        made = await web.client.post(f"/api/attachments/{there}/links", headers=token)
        assert (found.status_code, made.status_code) == (404, 404)
        assert found.json()["detail"] == made.json()["detail"] == "Not found"


@pytest.mark.parametrize(
    "key", ["x", "019c1f6e-5a51-7a14-8c4e-0d9f3a7b2c11", "00000000-0000-0000-0000-000000000000"]
)
async def test_what_is_no_attachment_is_not_found(api: Web, key: str) -> None:
    assert (await api.client.get(f"/api/attachments/{key}")).status_code == 404
    assert (await api.client.post(f"/api/attachments/{key}/links")).status_code == 404


async def test_a_file_whose_items_are_forgotten_is_nobodys(api: Web) -> None:
    _, key = await attached()
    await statements.run("DELETE FROM email_attachments")
    assert (await api.client.get(f"/api/attachments/{key}")).status_code == 404


async def test_a_file_that_was_cleaned_away_says_so(api: Web, tmp_path: Path) -> None:
    _, key = await attached()
    url = (await api.client.post(f"/api/attachments/{key}/links")).json()["url"]
    for file in (tmp_path / "storage" / "blobs").rglob("*-*"):
        file.unlink()
    lost = await api.client.get(f"/api/attachments/{key}")
    await clean_away()
    cleaned = await api.client.get(f"/api/attachments/{key}")
    followed = await api.client.get(url)
    unlinked = await api.client.post(f"/api/attachments/{key}/links")
    for answer in (lost, cleaned, followed, unlinked):
        assert answer.status_code == 404
        assert "cleaned away" in answer.json()["detail"]


async def test_a_link_needs_no_token_and_is_kept_nowhere(web: Web) -> None:
    _, key = await attached()
    url = await linked(web, key, await put_token(*READING))
    answer = await web.client.get(url)
    assert answer.status_code == 200
    assert answer.content == CONTENT
    assert answer.headers["cache-control"] == "private, no-store"
    assert answer.headers["referrer-policy"] == "no-referrer"


async def test_a_link_is_for_one_file(web: Web) -> None:
    (_, key), (_, other) = await attached(), await attached(content=b"another")
    url = await linked(web, key, await put_token(*READING))
    assert (await web.client.get(url.replace(str(key), str(other)))).status_code == 404


@pytest.mark.parametrize("place", [0, 30, 50, -1])
async def test_a_link_that_was_tampered_with_leads_nowhere(web: Web, place: int) -> None:
    _, key = await attached()
    path, _, link = (await linked(web, key, await put_token(*READING))).partition("=")
    changed = list(link)
    changed[place] = "A" if changed[place] != "A" else "Q"
    answer = await web.client.get(f"{path}={''.join(changed)}")
    assert answer.status_code == 404
    assert answer.json()["detail"] == "Not found"


async def test_a_link_signed_for_another_token_does_not_fit_this_one(web: Web) -> None:
    _, key = await attached()
    path, _, mine = (await linked(web, key, await put_token(*READING))).partition("=")
    _, _, theirs = (await linked(web, key, await put_token(*READING))).partition("=")
    # The token's id is the first 16 bytes: 20 whole letters of base64 and a bit.
    assert (await web.client.get(f"{path}={theirs[:20]}{mine[20:]}")).status_code == 404


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE api_tokens SET revoked_at = now()",
        "UPDATE api_tokens SET expires_at = now()",
        "UPDATE users SET disabled_at = now()",
        "UPDATE users SET permissions = '{read_queueitem}'",
        "UPDATE api_tokens SET networks = '{192.0.2.0/24}'",
    ],
)
async def test_a_link_ends_with_its_token(web: Web, change: str) -> None:
    _, key = await attached()
    url = await linked(web, key, await put_token(*READING))
    await statements.run(change)
    assert (await web.client.get(url)).status_code == 404


async def test_a_link_lasts_a_minute(api: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    _, key = await attached()
    made = (await api.client.post(f"/api/attachments/{key}/links")).json()
    left = datetime.fromisoformat(made["expires_at"]) - datetime.now(UTC)
    assert timedelta(seconds=50) < left <= timedelta(seconds=60)
    now = time.time()
    monkeypatch.setattr(links, "time", Clock(now + 61))
    assert (await api.client.get(made["url"])).status_code == 404


class Clock:
    """Stands in for the module ``time``."""

    def __init__(self, now: float) -> None:
        self._now = now

    def time(self) -> float:
        return self._now


async def test_each_download_is_told_with_its_item(web: Web) -> None:
    item, key = await attached()
    user = await put_user(*READING, name="ada")
    end = datetime.now(UTC) + timedelta(days=1)
    text = (await issue(user, frozenset(READING), Wish("laptop", READING, end))).text
    url = await linked(web, key, text)
    direct = await web.client.get(f"/api/attachments/{key}", headers=bearer(text))
    await web.client.get(url)
    refused = await put_token("read_queueitem")
    await web.client.get(f"/api/attachments/{key}", headers=bearer(refused))
    story = await find_story(item)
    assert story is not None
    assert [row["actor"] for row in story.downloads] == ["ada/laptop"] * 2
    assert str(story.downloads[1]["request_id"]) == direct.headers["x-request-id"]
    assert sum("page.html by ada/laptop" in line for line in describe_story(story)) == 2
    shown = (
        await web.client.get(f"/api/queue-items/{item}?expand=history", headers=bearer(text))
    ).json()
    told = [line for line in shown["history"] if line["transition"] == "download"]
    assert [(line["actor"], line["text"]) for line in told] == [("ada/laptop", "page.html")] * 2
    assert told[0]["request_id"] == direct.headers["x-request-id"]
