"""What was given up is looked at by its cause, and retried or thrown away."""

from uuid import UUID

from playwright.async_api import Page, expect

from app.models import statements
from tests.browser.people import Context
from tests.browser.reading import text_of, violations
from tests.fakes.items import Put, put_item, state_of
from tests.feature.operating.given import letters, put_letter

ADDRESS = "/console/dead-letters"


async def put_dead(kind: str = "retries_exhausted", code: str = "") -> tuple[Put, UUID]:
    item = await put_item("errored", error_kind=kind)
    if code:
        await statements.run("UPDATE attempts SET code = $2 WHERE id = $1", item.attempt, code)
    return item, await put_letter(item.id, item.attempt)


async def test_letters_are_grouped_by_cause_the_biggest_first(page: Page) -> None:
    await put_dead("outcome_unknown")
    for _ in range(3):
        await put_dead(code="421")
    await page.goto(ADDRESS)
    assert await page.locator("h2").all_inner_texts() == [
        "3 letters: The provider put it off until no retry was left. (sandbox 421)",
        "1 letter: Nobody knows whether the provider took it: it may have been sent.",
    ]


async def test_all_of_a_cause_are_retried_and_no_others(page: Page) -> None:
    tired = [(await put_dead())[0] for _ in range(3)]
    other, _ = await put_dead("unforeseen")
    await page.goto(ADDRESS)
    await page.get_by_role("link", name="Retry all of this cause").first.click()
    assert "Retry 3 letters" in await text_of(page)
    await page.get_by_role("button", name="Retry").click()
    await expect(page.get_by_text("3 letters retried.")).to_be_visible()
    assert [await state_of(item.id) for item in (*tired, other)] == [*["queued"] * 3, "errored"]
    assert len(await letters()) == 1


async def test_what_may_have_been_sent_stays_unless_that_is_said(page: Page) -> None:
    item, _ = await put_dead("outcome_unknown")
    await page.goto(ADDRESS)
    await page.get_by_role("button", name="Retry").click()
    await expect(page.locator(".notices")).to_contain_text("is not retried")
    await page.get_by_role("link", name="Retry all of this cause").click()
    await page.get_by_label("Also what may have been sent").check()
    await page.get_by_role("button", name="Retry").click()
    await expect(page.get_by_text("1 letter retried.")).to_be_visible()
    assert await state_of(item.id) == "queued"


async def test_one_is_discarded_and_its_item_says_so(page: Page) -> None:
    item, _ = await put_dead()
    await page.goto(ADDRESS)
    await page.get_by_role("button", name="Discard").click()
    await expect(page.get_by_text("The letter is discarded.")).to_be_visible()
    assert "There are none" in await text_of(page)
    assert await state_of(item.id) == "errored"
    await page.goto(f"/console/items/{item.id}")
    assert "Its dead letter was discarded." in await text_of(page, ".timeline")


async def test_without_content_causes_are_shown_and_texts_are_not(enter: Context) -> None:
    await put_dead()
    page = await enter(permissions=("manage_failed_jobs",))
    await page.goto(ADDRESS)
    assert "1 letter: The provider put it off" in await text_of(page)
    assert "Undeliverable" not in await page.content()
    assert "someone@example.com" not in await page.content()


async def test_dead_letters_can_be_used_by_everybody(page: Page) -> None:
    await page.goto(ADDRESS)
    assert await violations(page) == []
    await put_dead()
    await page.goto(ADDRESS)
    assert await violations(page) == []
    await page.get_by_role("link", name="Discard all of this cause").click()
    await page.wait_for_url("**/cause?*")
    assert await violations(page) == []
