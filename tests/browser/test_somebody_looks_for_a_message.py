"""Support has an address and a complaint, and looks for the message."""

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.async_api import Page, expect

from tests.api.stock import at, put
from tests.browser.people import Context
from tests.browser.reading import cells, text_of, violations


async def test_the_queue_shows_state_receiver_subject_and_what_happens_next(page: Page) -> None:
    await put("errored", receiver="anna@example.com", receiver_name="Anna", error_kind="rejected")
    await page.goto("/console/queue")
    [[state, receiver, subject, by, _, tries, following]] = await cells(page)
    assert (state, receiver, subject, by, tries) == (
        "errored",
        "Anna",
        "Hello",
        "Email",
        "1",
    )
    assert following == "The provider refused it."
    assert await page.locator("tbody use").first.get_attribute("href") == "#m-errored"


async def test_filters_say_how_many_they_leave_and_stand_in_the_address(page: Page) -> None:
    for number in range(3):
        await put("errored", number, error_kind="rejected", method="sms", receiver="+15550100001")
    await put("awaiting", 4)
    await page.goto("/console/queue")
    assert "All 4 queued 0 sending 0 awaiting 1 delayed 0 errored 3" in await text_of(page)
    await page.get_by_role("link", name="errored 3").click()
    await page.get_by_role("link", name="SMS 3").click()
    assert parse_qs(urlsplit(page.url).query) == {"state": ["errored"], "method": ["sms"]}
    assert len(await cells(page)) == 3
    await page.reload()
    assert len(await cells(page)) == 3
    await page.get_by_role("link", name="SMS 3").click()
    await page.get_by_role("link", name="All 4").click()
    assert len(await cells(page)) == 4


async def test_more_filters_are_filled_in_and_kept(page: Page) -> None:
    await put("queued", 0, tags=["orders"], receiver="early@example.com")
    await put("queued", 60, tags=["orders"], receiver="late@example.com")
    await put("queued", 60, tags=["account"], receiver="other@example.com")
    await page.goto("/console/queue")
    await page.get_by_text("More filters").click()
    await page.get_by_label("Tag").fill("orders")
    await page.get_by_label("Queued from").fill(f"{at(30):%Y-%m-%dT%H:%M}")
    await page.get_by_role("button", name="Filter").click()
    await page.wait_for_url("**/console/queue?*")
    assert [row[1] for row in await cells(page)] == ["late@example.com"]
    assert await page.get_by_label("Tag").input_value() == "orders"
    assert "error_kind" not in page.url


async def test_times_of_filters_are_those_of_the_readers_zone(enter: Context) -> None:
    await put("queued", 0, receiver="before@example.com")
    await put("queued", 60, receiver="after@example.com")
    page = await enter("viewer", "support", timezone_id="Asia/Tokyo")
    await page.goto("/console/queue")
    await page.get_by_text("More filters").click()
    # 12:30 UTC is 21:30 in Tokyo.
    await page.get_by_label("Queued from").fill("2026-03-01T21:30")
    assert "Asia/Tokyo" in await text_of(page, "form.panel")
    await page.get_by_role("button", name="Filter").click()
    await page.wait_for_url("**/console/queue?*")
    assert [row[1] for row in await cells(page)] == ["after@example.com"]
    assert await page.get_by_label("Queued from").input_value() == "2026-03-01T21:30"


async def test_pages_follow_each_other_without_repeating_an_item(page: Page) -> None:
    for number in range(53):
        await put("queued", number, receiver=f"r{number}@example.com")
    await page.goto("/console/queue")
    first = [row[1] for row in await cells(page)]
    await page.get_by_role("link", name="Next page").click()
    await page.wait_for_url("**cursor=*")
    second = [row[1] for row in await cells(page)]
    assert first + second == [f"r{number}@example.com" for number in reversed(range(53))]
    await page.get_by_role("link", name="First page").click()
    assert [row[1] for row in await cells(page)] == first


@pytest.mark.parametrize(
    "sought", ["ada@example.com", "LOVELACE", "lov", "provider-77", "the id", "+1 555 010-0007"]
)
async def test_one_box_takes_whatever_somebody_has_in_hand(page: Page, sought: str) -> None:
    given = {"receiver": "ada@example.com", "receiver_name": "Ada Lovelace"}
    if sought.startswith("+"):
        given = {"method": "sms", "receiver": "+15550100007"}
    item = await put("succeeded", message_id="provider-77", **given)
    await put("queued", receiver="somebody@example.com")
    await page.goto("/console/queue")
    await page.keyboard.press("/")
    await page.keyboard.type(str(item) if sought == "the id" else sought)
    await page.keyboard.press("Enter")
    await page.wait_for_url(f"**/console/items/{item}")


async def test_what_is_found_several_times_is_listed_by_where_it_is(page: Page) -> None:
    await put("succeeded", receiver="ada@example.com")
    await put("queued", receiver="ada@example.com")
    await page.goto("/console/search?q=ada@example")
    assert await page.locator("h2").all_inner_texts() == ["Queue", "Sent"]
    await page.get_by_role("link", name="All of them, with filters").last.click()
    await page.wait_for_url("**/console/sent?q=ada*")
    assert [row[0] for row in await cells(page)] == ["succeeded"]


async def test_empty_pages_say_what_would_be_here(page: Page) -> None:
    await page.goto("/console/queue")
    assert "The queue is empty" in await text_of(page)
    assert "arvel dispatch:email" in await text_of(page)
    await page.goto("/console/sent")
    assert "Nothing was sent yet" in await text_of(page)
    await page.goto("/console/queue?tag=nobody")
    assert "Nothing matches" in await text_of(page)
    await page.goto("/console/search?q=nobody-knows")
    assert "Nothing is known of it" in await text_of(page)
    await page.goto("/console/search?q=ab")
    assert "three letters or digits" in await text_of(page)


async def test_who_may_not_read_content_sees_and_finds_none(enter: Context) -> None:
    await put("queued", receiver="secret@example.com", receiver_name="Secret Name")
    page = await enter("viewer")
    for address in ("/console/queue", "/console/queue?q=secret", "/console/search?q=secret"):
        await page.goto(address)
        assert "Secret" not in await page.content()
        assert "secret@example.com" not in await page.content()
    await page.goto("/console/queue")
    assert "hidden: " in await text_of(page)
    assert await page.get_by_label("Name or address").count() == 0


async def test_an_address_that_was_written_by_hand_gets_an_answer(page: Page) -> None:
    answer = await page.goto("/console/queue?queued_from=yesterday")
    assert answer is not None
    assert answer.status == 422
    assert "queued_from: Must be a time as 2026-12-31T23:59." in await text_of(page)
    answer = await page.goto("/console/queue?cursor=abc")
    assert answer is not None
    assert answer.status == 422


async def test_a_list_shows_what_is_new_by_itself_but_not_under_a_reader(page: Page) -> None:
    await put("queued", 0, receiver="first@example.com")
    await page.clock.install()
    await page.goto("/console/queue")
    await page.mouse.move(2, 2)
    await put("queued", 1, receiver="second@example.com")
    await page.clock.run_for(6_000)
    await expect(page.get_by_role("link", name="second@example.com")).to_be_visible()
    await page.locator("tbody tr").first.hover()
    await put("queued", 2, receiver="third@example.com")
    await page.clock.run_for(6_000)
    await expect(page.get_by_role("button", name="Something is newer")).to_be_visible()
    assert await page.get_by_role("link", name="third@example.com").count() == 0
    await page.get_by_role("button", name="Something is newer").click()
    await expect(page.get_by_role("link", name="third@example.com")).to_be_visible()


async def test_nothing_is_sent_again_while_nothing_changed(page: Page) -> None:
    await put("queued", 0)
    await page.clock.install()
    statuses: list[int] = []
    page.on("response", lambda r: statuses.append(r.status) if r.url.endswith("/queue") else None)
    await page.goto("/console/queue")
    for _ in range(3):
        async with page.expect_response("**/console/queue"):
            await page.clock.run_for(6_000)
    assert statuses == [200, 200, 304, 304]


async def test_rows_are_walked_by_keys(page: Page) -> None:
    items = [await put("queued", number) for number in range(3)]
    await page.goto("/console/queue")
    for key in ("j", "j", "j", "k"):
        await page.keyboard.press(key)
    await page.keyboard.press("Enter")
    await page.wait_for_url(f"**/console/items/{items[1]}")


async def test_lists_can_be_used_by_everybody(page: Page) -> None:
    await page.goto("/console/queue")
    assert await violations(page) == []
    await put("errored", error_kind="rejected")
    await put("succeeded")
    for address in ("/console/queue", "/console/sent?order=finished", "/console/search?q=someone"):
        await page.goto(address)
        assert await violations(page) == [], address
