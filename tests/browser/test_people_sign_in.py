"""Somebody comes to the console, and goes."""

import re

from playwright.async_api import Page, expect

from app.access import users
from app.models.queries import users as queries
from tests.browser.people import PASSWORD, Context
from tests.browser.reading import text_of, violations

BUTTON = "Sign in"


async def fill(page: Page, name: str, password: str = PASSWORD) -> None:
    await page.get_by_label("Name or address").fill(name)
    await page.get_by_label("Password").fill(password)
    await page.get_by_role("button", name=BUTTON).click()


async def test_a_stranger_signs_in_and_comes_where_they_wanted_to_go(enter: Context) -> None:
    name = await enter.people.add("viewer")
    page = await enter.stranger()
    await page.goto("/console/queue?state=errored")
    await expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    await fill(page, name)
    await page.wait_for_url("**/console/queue?state=errored")
    assert name in await text_of(page, "header")


async def test_a_wrong_password_is_refused_without_saying_what_was_wrong(enter: Context) -> None:
    name = await enter.people.add("viewer")
    page = await enter.stranger()
    answers: list[str] = []
    for who in (name, "nobody at all"):
        await page.goto("/console/sign-in")
        await fill(page, who, "a wrong one, certainly")
        answers.append(await page.get_by_role("alert").inner_text())
    assert answers[0] == answers[1]
    assert "don't belong together" in answers[0]
    assert await page.get_by_label("Name or address").input_value() == "nobody at all"
    assert await page.get_by_label("Password").input_value() == ""


async def test_who_guesses_is_told_how_long_to_wait(enter: Context) -> None:
    name = await enter.people.add("viewer")
    page = await enter.stranger()
    await page.goto("/console/sign-in")
    for _ in range(6):
        await fill(page, name, "a wrong one, certainly")
    assert re.search(
        r"Too many tries\. Wait 1[45] min", await page.get_by_role("alert").inner_text()
    )
    await fill(page, name)
    assert "Too many tries" in await page.get_by_role("alert").inner_text()


async def test_after_signing_out_the_session_is_worth_nothing(enter: Context) -> None:
    name = await enter.people.add("viewer")
    page = await enter.stranger()
    await page.goto("/console/sign-in")
    await fill(page, name)
    await page.wait_for_url("**/console/*")
    stolen = await page.context.cookies()
    await page.locator("#me summary").click()
    await page.get_by_role("button", name="Sign out").click()
    await expect(page.get_by_text("You are signed out.")).to_be_visible()

    await page.context.clear_cookies()
    await page.context.add_cookies(stolen)  # type: ignore[arg-type]
    await page.goto("/console/queue")
    await expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


async def test_the_session_gets_a_new_id_when_somebody_signs_in(enter: Context) -> None:
    name = await enter.people.add("viewer")
    page = await enter.stranger()
    await page.goto("/console/sign-in")
    before = await page.context.cookies()
    await fill(page, name)
    await page.wait_for_url("**/console/overview")
    await page.context.clear_cookies()
    await page.context.add_cookies(before)  # type: ignore[arg-type]
    await page.goto("/console/queue")
    await expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


async def test_a_new_password_and_a_disabled_user_end_sessions(enter: Context) -> None:
    for change in ("password", "disable"):
        page = await enter(
            "viewer", permissions=(f"can_{'retry' if change == 'disable' else 'cancel'}",)
        )
        await page.goto("/console/queue")
        await expect(page.get_by_role("heading", name="Queue", exact=True)).to_be_visible()
        row = await queries.find(await page.locator("#me summary").inner_text())
        assert row is not None
        if change == "password":
            await users.change_password(row["id"], "another one, quite long")
        else:
            await queries.disable(row["id"])
        await page.reload()
        await expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


async def test_a_page_that_needs_a_permission_says_which_and_how_to_get_it(enter: Context) -> None:
    page = await enter("sender")
    answer = await page.goto("/console/queue")
    assert answer is not None
    assert answer.status == 403
    said = await text_of(page)
    assert "This needs list_queueitem." in said
    assert "arvel dispatch:user grant" in said
    assert await page.get_by_role("link", name="Queue").count() == 0


async def test_colours_are_chosen_without_a_script(enter: Context) -> None:
    page = await enter("viewer", java_script_enabled=False)
    await page.goto("/console/queue")
    await page.locator("#me summary").click()
    await page.get_by_role("button", name="Dark").click()
    assert await page.locator("html").get_attribute("data-theme") == "dark"
    assert page.url.endswith("/console/queue")


async def test_the_first_pages_can_be_used_by_everybody(enter: Context) -> None:
    page = await enter.stranger()
    await page.goto("/console/sign-in")
    assert await violations(page) == []
    page = await enter("administrator")
    for address in ("/console/help", "/console/items/nothing"):
        await page.goto(address)
        assert await violations(page) == [], address


async def test_the_check_of_accessibility_finds_what_is_wrong(enter: Context) -> None:
    page = await enter.stranger()
    await page.goto("/console/sign-in")
    await page.evaluate("document.querySelector('label[for=name]').remove()")
    found = await violations(page)
    assert [one.split(": ")[:2] for one in found] == [["light", "label"], ["dark", "label"]]
