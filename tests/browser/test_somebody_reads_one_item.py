"""What happened to this message? One page says it."""

import base64
import uuid
from datetime import UTC, datetime, timedelta

import pytest
from playwright.async_api import Page, expect

from app.items import Inline
from app.models import statements
from tests.browser.given import put_event, put_history
from tests.browser.people import Context
from tests.browser.reading import text_of, violations
from tests.fakes.items import put_attempt, put_item
from tests.feature.operating.given import email, put_letter, sms

PICTURE = base64.b64decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")  # a pixel
HTML = "<p>Dear Anna, <b>it is on its way</b>.</p>"


def an_hour_ago() -> datetime:
    return datetime.now(UTC) - timedelta(hours=1)


async def test_the_top_says_what_is_true_and_what_happens_next(page: Page) -> None:
    item = await put_item("errored", error_kind="outcome_unknown", result="The line broke.")
    await page.goto(f"/console/items/{item.id}")
    said = await text_of(page)
    assert said.startswith(
        "someone@example.com errored Nobody knows whether the provider took it: it may have been"
        " sent. What happens next: Nothing: it may have been sent."
    )
    assert "What is known: The line broke." in said


async def test_the_way_is_drawn_and_told(page: Page) -> None:
    item = await put_item("awaiting")
    await put_history(item.id, ("send", "queued", "sending"), ("await", "sending", "awaiting"))
    await page.goto(f"/console/items/{item.id}")
    told = "Its way: queued, sending, awaiting. It is awaiting now."
    picture = page.get_by_role("img", name=told)
    await expect(picture).to_be_visible()
    assert await picture.locator(".gone").count() == 2
    assert await picture.locator(".now text").text_content() == "awaiting"
    assert await picture.locator("rect").count() == 8


async def test_the_timeline_holds_history_attempts_and_reports_the_latest_first(page: Page) -> None:
    item = await put_item("errored", error_kind="reported", queued=an_hour_ago())
    await put_history(item.id, ("send", "queued", "sending"), ("await", "sending", "awaiting"))
    await put_event(item.id, item.attempt, "bounced", "No such mailbox", {"code": "5.1.1"})
    await page.goto(f"/console/items/{item.id}")
    titles = await page.locator(".timeline strong").all_inner_texts()
    assert titles[-1] == "Queued"
    assert set(titles) == {
        *("Queued", "Send: queued → sending", "Await: sending → awaiting"),
        *("Attempt 1: sandbox has not answered yet", "sandbox reported: bounced"),
    }
    assert titles.index("Await: sending → awaiting") < titles.index("Send: queued → sending")
    raw = page.locator(".timeline pre")
    assert not await raw.is_visible()
    await page.get_by_text("As it came").click()
    assert '"code": "5.1.1"' in await raw.inner_text()


async def test_an_email_is_seen_as_its_receiver_sees_it(page: Page) -> None:
    [item] = await email(html=HTML, headers={"X-Campaign": "spring"})
    await page.goto(f"/console/items/{item.id}")
    frame = page.frame_locator("iframe")
    assert await frame.locator("b").inner_text() == "it is on its way"
    facts = await text_of(page, "section[aria-labelledby=message]")
    assert "From Shop <shop@example.com> To Anna <anna@example.com> Subject Hello" in facts
    assert "X-Campaign spring" in facts
    assert await text_of(page, ".letter") == "Text"


async def test_pictures_that_came_along_are_seen_and_others_are_not_fetched(page: Page) -> None:
    places = ("cid:logo", "CID:logo%40shop", "cid:script", "cid:none", "https://shop.test/x.png")
    shown = "".join(f'<img alt="{place}" src="{place}">' for place in places)
    files = {
        "logo.gif": Inline(PICTURE, "logo"),
        "other.gif": Inline(PICTURE, "logo@shop"),
        "page.html": Inline(b"<script>alert(1)</script>", "script"),
    }
    [item] = await email(html=shown + "<p>Say cid:logo to it</p>", attachments=files)
    await page.goto(f"/console/items/{item.id}")
    frame = page.frame_locator("iframe")
    await frame.locator("p").wait_for()
    seen = [
        await frame.locator("img").nth(number).evaluate("one => one.naturalWidth")
        for number in range(len(places))
    ]
    assert await frame.locator("p").inner_text() == "Say cid:logo to it"
    assert seen == [1, 1, 0, 0, 0]
    assert await page.locator("iframe").get_attribute("sandbox") == ""


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("Pick it up.", "1 segment in GSM-7, 11 units."),
        ("Now – for you", "1 segment in UCS-2, 13 units."),
        ("x" * 153 + "y" * 10, "2 segments in GSM-7, 163 units."),
    ],
)
async def test_an_sms_is_seen_in_its_segments(page: Page, body: str, said: str) -> None:
    item = await sms(body=body)
    await page.goto(f"/console/items/{item.id}")
    assert said in await text_of(page)
    parts = await page.locator(".bubbles li").all_inner_texts()
    assert "".join(parts) == body
    if body.startswith("xxx"):
        assert parts == ["x" * 153, "y" * 10]


async def test_a_file_is_downloaded_and_that_is_noted(page: Page) -> None:
    files = {"Rechnung ü.pdf": b"%PDF-1.4 a bill"}
    [item] = await email(attachments=files)
    await page.goto(f"/console/items/{item.id}")
    async with page.expect_download() as started:
        await page.get_by_role("link", name="Rechnung ü.pdf").click()
    download = await started.value
    assert download.suggested_filename == "Rechnung ü.pdf"
    assert (await download.path()).read_bytes() == b"%PDF-1.4 a bill"
    rows = await statements.run("SELECT actor FROM attachment_downloads")
    assert [row["actor"] for row in rows] == [await page.locator("#me summary").inner_text()]


async def test_dead_letters_copies_and_doubts_are_said_aloud(page: Page) -> None:
    item = await put_item("errored", error_kind="retries_exhausted", attempts=2)
    await put_attempt(item.id, uuid.uuid7(), number=1, outcome="accepted")
    await statements.run("UPDATE attempts SET outcome = 'accepted' WHERE id = $1", item.attempt)
    await put_letter(item.id, item.attempt)
    await page.goto(f"/console/items/{item.id}")
    said = await text_of(page)
    assert "The receiver may have 2 copies" in said
    assert "It has a dead letter since" in said


async def test_an_item_that_is_gone_leads_to_the_list_with_a_word(page: Page) -> None:
    await page.goto(f"/console/items/{uuid.uuid4()}")
    assert page.url.endswith("/console/queue")
    assert "There is no such item, or not any more" in await text_of(page)
    await page.reload()
    assert "There is no such item" not in await text_of(page)


async def test_the_page_follows_the_item_while_somebody_reads_on(page: Page) -> None:
    [item] = await email(html=HTML)
    await page.clock.install()
    await page.goto(f"/console/items/{item.id}")
    await page.frame_locator("iframe").locator("b").wait_for()
    frame = await page.locator("iframe").element_handle()
    await statements.run(
        "UPDATE queue_items SET state = 'cancelled', finished_at = now() WHERE id = $1", item.id
    )
    await page.clock.run_for(4_000)
    await expect(page.locator(".item-head .state")).to_have_text("cancelled")
    assert frame is not None
    assert await frame.evaluate("frame => frame.isConnected")


async def test_content_is_hidden_from_who_may_not_read_it(enter: Context) -> None:
    [item] = await email(html=HTML, attachments={"secret.pdf": b"%PDF-1.4 secret"})
    page = await enter("viewer")
    await page.goto(f"/console/items/{item.id}")
    said = await page.content()
    for secret in ("anna@example.com", "Hello", "secret.pdf", "Shop"):
        assert secret not in said
    assert "seeing it needs read_content" in await text_of(page)
    for address in (f"/console/items/{item.id}/html", "/console/attachments/1"):
        answer = await page.goto(address)
        assert answer is not None
        assert answer.status in {403, 404}


async def test_an_item_can_be_read_by_everybody_and_without_a_script(enter: Context) -> None:
    [item] = await email(html=HTML, attachments={"a.txt": b"text"})
    page = await enter("administrator")
    await page.goto(f"/console/items/{item.id}")
    assert await violations(page) == []
    plain = await enter("administrator", java_script_enabled=False)
    await plain.goto(f"/console/items/{item.id}")
    assert "Anna queued It waits to be sent." in await text_of(plain)
    assert await plain.frame_locator("iframe").locator("b").inner_text() == "it is on its way"
