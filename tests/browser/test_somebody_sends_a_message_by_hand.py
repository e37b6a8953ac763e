"""A message is written, looked at, and sent once."""

import re
from datetime import UTC, datetime, timedelta

from arvel.kernel import app
from playwright.async_api import Page, expect

from app.models import statements
from tests.browser.people import Context
from tests.browser.reading import text_of, violations

ADDRESS = "/console/compose"


async def fill_in(page: Page, **fields: str) -> None:
    given = {"From": "shop@example.com", "To": "anna@example.com", "Subject": "Hello"}
    for label, value in {**given, "Text": "How are you?", **fields}.items():
        await page.get_by_label(re.compile(f"^{label}( |$)")).first.fill(value)


async def test_an_email_is_sent_and_shown(page: Page) -> None:
    await page.goto(ADDRESS)
    await fill_in(page)
    await page.get_by_role("button", name="Send").click()
    await page.wait_for_url("**/console/items/*")
    assert "It is queued." in await text_of(page, ".notices")
    assert "anna@example.com queued" in await text_of(page)
    assert "How are you?" in await text_of(page)


async def test_a_preview_says_what_it_comes_to_and_sends_nothing(page: Page) -> None:
    await page.goto(ADDRESS)
    await fill_in(page)
    await page.get_by_role("button", name="Preview").click()
    said = await text_of(page, "#preview")
    assert "Goes through sandbox: nobody real gets it from here" in said
    assert "When at once" in said
    assert "Subject Hello" in said
    assert await page.get_by_label("Subject").input_value() == "Hello"
    assert await statements.run("SELECT FROM queue_items") == []


async def test_an_sms_shows_its_segments_while_it_is_written(page: Page) -> None:
    await page.goto(ADDRESS)
    await page.get_by_role("link", name="SMS").click()
    await page.locator("#receiver_cell").fill("+15550100001")
    await page.locator("#sender_cell").fill("+15550100009")
    await page.get_by_label("Text").press_sequentially("It’s here")
    await expect(page.locator("#preview")).to_contain_text("1 in UCS-2, 9 units")
    await expect(page.locator("#preview .foreign")).to_have_text("’")


async def test_an_sms_asks_for_a_number_unless_its_channel_has_one(page: Page) -> None:
    await page.goto(f"{ADDRESS}?method=sms")
    number = page.locator("#sender_cell")
    assert await number.get_attribute("required") is not None
    config = app().config()
    config.set("dispatch.sms", "twilio")
    config.set("dispatch.twilio.from_number", "+15550100009")
    try:
        await page.reload()
        assert await number.get_attribute("required") is None
        assert "empty: the number of the channel" in await text_of(page, "form[aria-label=Message]")
    finally:
        config.set("dispatch.sms", "sandbox")
        config.set("dispatch.twilio.from_number", "")


async def test_a_time_of_the_form_is_kept_in_the_zone_of_its_reader(enter: Context) -> None:
    """Field report 86: in an hour means in an hour."""
    page = await enter("administrator", timezone_id="America/New_York")
    await page.goto(ADDRESS)
    await fill_in(page)
    later = (datetime.now(UTC) + timedelta(hours=1)).replace(second=0, microsecond=0)
    local = await page.evaluate(
        "ms => { const d = new Date(ms); const two = n => String(n).padStart(2, '0');"
        " return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())}`"
        " + `T${two(d.getHours())}:${two(d.getMinutes())}`; }",
        later.timestamp() * 1000,
    )
    assert local != f"{later:%Y-%m-%dT%H:%M}"
    await page.get_by_label("Send at").fill(local)
    await page.get_by_role("button", name="Send").click()
    await page.wait_for_url("**/console/items/*")
    [row] = await statements.run("SELECT send_at, due_at, state FROM queue_items")
    assert (row["send_at"], row["state"]) == (later, "queued")
    shown = page.locator("dt:text-is('Not before') + dd time")
    assert datetime.fromisoformat(await shown.get_attribute("datetime") or "") == later


async def test_without_a_script_times_are_in_utc_and_say_so(enter: Context) -> None:
    page = await enter("administrator", java_script_enabled=False, timezone_id="Asia/Tokyo")
    await page.goto(ADDRESS)
    assert "empty: at once; in UTC" in await text_of(page, "form[aria-label=Message]")
    await fill_in(page)
    later = (datetime.now(UTC) + timedelta(hours=1)).replace(second=0, microsecond=0)
    await page.get_by_label("Send at").fill(f"{later:%Y-%m-%dT%H:%M}")
    await page.get_by_role("button", name="Send").click()
    [row] = await statements.run("SELECT send_at FROM queue_items")
    assert row["send_at"] == later


async def test_what_can_not_be_used_is_said_and_nothing_is_lost(page: Page) -> None:
    await page.goto(ADDRESS)
    await fill_in(page, Subject="Kept", **{"Send at": "2020-01-01T00:00"})
    await page.locator("form[aria-label=Message]").evaluate("form => { form.noValidate = true }")
    await page.get_by_label("To ").first.fill("nobody")
    await page.get_by_role("button", name="Send").click()
    assert "to.0" in await page.get_by_role("alert").inner_text()
    assert await page.get_by_label("Subject").input_value() == "Kept"
    assert await statements.run("SELECT FROM queue_items") == []


async def test_a_form_that_is_sent_twice_sends_one_message(page: Page) -> None:
    await page.goto(ADDRESS)
    await fill_in(page)
    form = await page.evaluate(
        "Object.fromEntries(new FormData(document.querySelector('form[aria-label=Message]')))"
    )
    await page.get_by_role("button", name="Send").click()
    await page.wait_for_url("**/console/items/*")
    again = await page.request.post(ADDRESS, form=form)
    assert again.url == page.url
    assert len(await statements.run("SELECT FROM queue_items")) == 1


async def test_who_may_only_send_sends_and_sees_no_item(enter: Context) -> None:
    page = await enter("sender")
    await page.goto("/console")
    assert page.url.endswith(ADDRESS)
    await fill_in(page)
    await page.get_by_role("button", name="Send").click()
    await expect(page.get_by_text("It is queued as")).to_be_visible()
    assert await page.get_by_role("search").count() == 0


async def test_composing_can_be_done_by_everybody(page: Page) -> None:
    for address in (ADDRESS, f"{ADDRESS}?method=sms"):
        await page.goto(address)
        assert await violations(page) == [], address
    await page.goto(ADDRESS)
    await fill_in(page)
    await page.get_by_role("button", name="Preview").click()
    assert await violations(page) == []
