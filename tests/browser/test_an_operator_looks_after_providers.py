"""A provider is in trouble: send nothing through it, and look at what it reported."""

from playwright.async_api import Page, expect

from app.items import pause
from app.models import statements
from tests.browser.given import put_event
from tests.browser.people import Context
from tests.browser.reading import cells, text_of, violations
from tests.fakes.items import put_item, state_of


async def test_a_channel_is_paused_with_a_reason_and_resumed(page: Page) -> None:
    await page.goto("/console/providers")
    await page.get_by_text("Pause it").click()
    await page.get_by_label("Reason").fill("The account is being moved.")
    await page.get_by_role("button", name="Pause sandbox").click()
    said = await text_of(page)
    assert "sandbox is paused: its messages wait." in said
    assert "until somebody resumes it: The account is being moved." in said
    assert await page.get_by_role("link", name="The account is being moved.").is_visible()
    await page.get_by_role("button", name="Resume sandbox").click()
    await expect(page.get_by_text("sandbox sends again.")).to_be_visible()
    rows = await statements.run("SELECT changed_by FROM channels")
    assert rows[0]["changed_by"] == await page.locator("#me summary").inner_text()


async def test_what_is_not_set_up_says_what_is_missing(page: Page) -> None:
    await page.goto("/console/providers")
    rows = {row[0]: row for row in await cells(page)}
    assert rows["Postmark"][2:4] == ["no", "POSTMARK_SERVER_TOKEN"]
    assert f"{page.url.rpartition('/console')[0]}/webhooks/email/sandbox" in await text_of(page)


async def test_a_report_is_found_read_and_applied_again(page: Page) -> None:
    item = await put_item("awaiting")
    event = await put_event(item.id, item.attempt, "delivered", "250 ok", {"event": "delivered"})
    await page.goto("/console/events?provider=sandbox&standing=applied")
    await page.locator("tbody th a").click()
    await page.wait_for_url(f"**/console/events/{event}")
    said = await text_of(page)
    assert "sandbox reported: delivered" in said
    assert '"event": "delivered"' in said
    await page.get_by_role("button", name="Apply it to its item again").click()
    await expect(page.get_by_text("Replayed.")).to_be_visible()
    assert "The item is succeeded." in await text_of(page)
    assert await state_of(item.id) == "succeeded"
    await page.get_by_role("button", name="Have it read again first").click()
    assert "Replayed" in await text_of(page) or "by itself" in await text_of(page)


async def test_without_content_reports_say_what_happened_and_to_nobody(enter: Context) -> None:
    item = await put_item("awaiting")
    event = await put_event(item.id, item.attempt, "delivered", "secret text", {"to": "secret"})
    page = await enter("viewer")
    for address in ("/console/events", f"/console/events/{event}"):
        await page.goto(address)
        assert "secret" not in await page.content()
    assert "Replaying needs manage_channels." in await text_of(page)


async def test_who_may_not_manage_sees_that_something_waits_and_not_why(enter: Context) -> None:
    await pause.pause("sandbox", "Anna complained.", actor="somebody")
    page = await enter("viewer")
    await page.goto("/console/queue")
    assert "sandbox is paused: its messages wait." in await text_of(page, ".banner")
    assert "Anna" not in await page.content()


async def test_providers_and_reports_can_be_used_by_everybody(page: Page) -> None:
    item = await put_item("awaiting")
    event = await put_event(item.id, item.attempt, "delivered", "250 ok", {"event": "delivered"})
    for address in ("/console/providers", "/console/events", f"/console/events/{event}"):
        await page.goto(address)
        assert await violations(page) == [], address
