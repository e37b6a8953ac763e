"""Whatever somebody else wrote is shown as text (field report 65), and no form of another site
counts.
"""

import json
from typing import Any

import pytest
from playwright.async_api import Page

from app.models import statements
from tests.browser.given import put_event, put_history
from tests.browser.people import Context
from tests.browser.reading import text_of
from tests.fakes.items import put_item, state_of
from tests.feature.operating.given import email, put_letter

EVIL = (
    "\"'><script>window.hit = 1</script><img src=x onerror='window.hit = 2'>"
    "<svg onload='window.hit = 3'></svg>{{ 7 * 7 }}"
)
SHORT = "<img src=x onerror='window.hit=4'>"


async def everything_evil() -> Any:
    files = {f"{SHORT}.pdf": b"%PDF-1.4"}
    [item] = await email(
        to=[{"name": EVIL, "email": "anna@example.com"}],
        subject=EVIL,
        text=EVIL,
        html=f"<p id=mine>{EVIL}</p><script>window.top.hit = 5</script>",
        headers={"X-Evil": EVIL},
        tags=[SHORT],
        origin=(SHORT, SHORT),
        attachments=files,
    )
    seen = await put_item()
    await statements.run(
        "UPDATE attempts SET item_id = $1, text = $2, code = $2, message_id = $2,"
        " outcome = 'rejected' WHERE id = $3",
        item.id,
        EVIL,
        seen.attempt,
    )
    await statements.run(
        "UPDATE queue_items SET state = 'errored', error_kind = 'rejected', result = $2,"
        " attempt_id = $3, attempts = 1 WHERE id = $1",
        *(item.id, EVIL, seen.attempt),
    )
    await put_history(item.id, ("error", "queued", "errored"), said=EVIL)
    await put_event(item.id, seen.attempt, "bounced", EVIL, {EVIL: EVIL})
    await put_letter(item.id, seen.attempt)
    await statements.run("UPDATE failed_jobs SET exception = $1", EVIL)
    return item


async def test_nothing_that_others_wrote_is_run_anywhere(page: Page) -> None:
    item = await everything_evil()
    for address in (
        *("/console/queue", "/console/queue?q=onerror", "/console/search?q=anna"),
        f"/console/items/{item.id}",
        f"/console/items/{item.id}/retry",
    ):
        await page.goto(address)
        assert await page.evaluate("window.hit") is None, address
        assert "<script>window.hit" in await page.locator("body").inner_text() or "retry" in address
    await page.goto(f"/console/items/{item.id}")
    for details in await page.locator("details").all():
        await details.evaluate("details => { details.open = true }")
    assert "49" not in await text_of(page, ".timeline")
    assert await page.evaluate("window.hit") is None


async def test_the_html_of_a_message_is_kept_apart(page: Page) -> None:
    item = await everything_evil()
    await page.goto(f"/console/items/{item.id}")
    frame = page.frame_locator("iframe")
    await frame.locator("#mine").wait_for()
    inner = page.frames[1]
    assert await page.evaluate("document.querySelector('iframe').contentDocument") is None
    assert await page.evaluate("window.hit") is None
    # Sandboxed: no script of its own ran; the browser's tools still look inside.
    assert await inner.evaluate("window.hit") is None

    answer = await page.goto(f"/console/items/{item.id}/html")
    assert answer is not None
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("sandbox; default-src 'none'")
    assert "allow-" not in policy
    assert await page.evaluate("window.hit") is None


async def test_a_message_fetches_nothing_from_elsewhere(page: Page) -> None:
    [item] = await email(
        html="<p id=mine>Hi</p><img src='https://tracker.example/pixel.gif'>"
        "<style>@import 'https://tracker.example/a.css'; p {background: url(//tracker.example)}"
        "</style><link rel=stylesheet href='https://tracker.example/b.css'>"
    )
    arrived: list[str] = []
    page.on("requestfinished", lambda request: arrived.append(request.url))
    await page.goto(f"/console/items/{item.id}")
    await page.frame_locator("iframe").locator("#mine").wait_for()
    assert not [address for address in arrived if "tracker" in address]


@pytest.mark.parametrize("origin", ["https://evil.example", "null"])
async def test_a_form_of_another_site_is_refused(enter: Context, origin: str) -> None:
    page = await enter("administrator")
    item = await put_item("errored", error_kind="rejected")
    await page.goto(f"/console/items/{item.id}")
    token = await page.locator("input[name=_token]").first.get_attribute("value") or ""
    path = f"/console/items/{item.id}/retry"
    answer = await page.request.post(path, form={"_token": token}, headers={"origin": origin})
    assert answer.status == 403
    assert "sent here by another site" in await answer.text()
    answer = await page.request.post(path, form={"_token": "guessed"})
    assert answer.status == 403
    assert "This page is too old" in await answer.text()
    assert await state_of(item.id) == "errored"


async def test_actions_need_post_and_bodies_have_a_limit(page: Page) -> None:
    item = await put_item("errored", error_kind="rejected")
    answer = await page.goto(f"/console/items/{item.id}/retry")
    assert answer is not None
    assert answer.ok
    assert await state_of(item.id) == "errored"
    big = await page.request.post("/console/theme", form={"theme": "x" * 1_100_000})
    assert big.status == 413
    other = await page.request.post("/console/theme", data=json.dumps({"theme": "dark"}))
    assert other.status == 415


async def test_pages_are_closed_to_frames_caches_and_other_sites(page: Page) -> None:
    answer = await page.goto("/console/queue")
    assert answer is not None
    headers = answer.headers
    assert headers["cache-control"] == "private, no-store"
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    cookies = {cookie["name"]: cookie for cookie in await page.context.cookies()}
    assert cookies.keys() == {"session"}
    answer = await page.request.get("/console/sign-in", headers={"cookie": ""})
    style = await page.locator("link[rel=stylesheet]").get_attribute("href")
    kept = await page.request.get(style or "")
    assert "immutable" in kept.headers["cache-control"]
    assert (await page.request.get("/console/assets/0123456789abcdef/console.css")).status == 404


@pytest.mark.parametrize(
    "address", ["https://evil.example/", "//evil.example", "/\\evil.example", "/api/docs"]
)
async def test_signing_in_leads_nowhere_else(enter: Context, address: str) -> None:
    page = await enter("administrator")
    await page.goto(f"/console/sign-in?then={address}")
    assert page.url.startswith(f"{enter.people.web.url}/console")
