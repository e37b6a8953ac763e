"""Somebody wants more than a password between others and the console."""

import re
from datetime import UTC, datetime, timedelta

import pyotp
import pytest
from playwright.async_api import Page, expect

from app.controllers.console.signing_in import standing
from tests.browser.people import PASSWORD, Context
from tests.browser.reading import text_of, violations

ADDRESS = "/console/second-factor"


async def give_password(page: Page, name: str) -> None:
    await page.goto("/console/sign-in?then=/console/queue")
    await page.get_by_label("Name or address").fill(name)
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Sign in").click()


async def give_code(page: Page, code: str) -> None:
    await page.get_by_label("Code").fill(code)
    await page.get_by_role("button", name="Sign in").click()


async def set_up(page: Page) -> tuple[pyotp.TOTP, str, list[str]]:
    """What the device then knows, the code that is used up, and those of recovery."""
    await page.goto(ADDRESS)
    await page.get_by_label("Your password").fill(PASSWORD)
    await page.get_by_role("button", name="Set it up").click()
    device = pyotp.TOTP(await page.locator("main code").first.inner_text())
    recovery = await page.locator(".codes code").all_inner_texts()
    assert await violations(page) == []
    code = device.now()
    await page.get_by_label("Code").fill(code)
    await page.get_by_role("button", name="Turn it on").click()
    await expect(page.get_by_text("From now on signing in asks")).to_be_visible()
    return device, code, recovery


async def test_the_password_alone_opens_nothing_any_more_and_no_code_counts_twice(
    enter: Context,
) -> None:
    name = await enter.people.add("viewer")
    page = await enter.stranger()
    await give_password(page, name)
    device, used, recovery = await set_up(page)
    assert "8 recovery codes left" in await text_of(page)

    other = await enter.stranger()
    await give_password(other, name)
    await other.wait_for_url(re.compile("/console/sign-in/code"))
    assert await violations(other) == []
    await other.goto("/console/queue")
    await expect(other.get_by_role("heading", name="Sign in")).to_be_visible()
    await other.goto("/console/sign-in/code?then=/console/queue")
    for wrong in (used, "000000", "nonsense"):
        await give_code(other, wrong)
        await expect(other.get_by_role("alert")).to_contain_text("doesn't fit, or was used")
    await give_code(other, recovery[0])
    await other.wait_for_url("**/console/queue")
    await other.goto(ADDRESS)
    assert "7 recovery codes left" in await text_of(other)

    third = await enter.stranger()
    await give_password(third, name)
    await give_code(third, recovery[0])
    await expect(third.get_by_role("alert")).to_contain_text("doesn't fit, or was used")
    await give_code(third, device.at(datetime.now(UTC) + timedelta(seconds=30)))
    await third.wait_for_url("**/console/queue")


async def test_who_guesses_codes_waits_from_wherever_they_come(enter: Context) -> None:
    name = await enter.people.add("viewer")
    page = await enter.stranger()
    await give_password(page, name)
    _, _, recovery = await set_up(page)
    await page.context.clear_cookies()
    await give_password(page, name)
    for number in range(11):
        await give_code(page, f"{number:06}")
    said = await page.get_by_role("alert").inner_text()
    assert re.search(r"Too many tries\. Wait 1[45] min", said)
    await give_code(page, recovery[0])
    await expect(page.get_by_role("alert")).to_contain_text("Too many tries")


async def test_the_password_is_asked_for_again_before_anything_changes(enter: Context) -> None:
    name = await enter.people.add("viewer")
    page = await enter.stranger()
    await give_password(page, name)
    await page.goto(ADDRESS)
    await page.get_by_label("Your password").fill("somebody else's")
    await page.get_by_role("button", name="Set it up").click()
    await expect(page.get_by_text("That is not your password.")).to_be_visible()
    await set_up(page)
    await page.get_by_label("Your password").fill(PASSWORD)
    await page.get_by_role("button", name="Take it away").click()
    await expect(page.get_by_text("asks for your password alone").first).to_be_visible()
    await page.context.clear_cookies()
    await give_password(page, name)
    await page.wait_for_url("**/console/queue")


async def test_a_code_is_not_waited_for_without_end(
    enter: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = await enter.people.add("viewer")
    page = await enter.stranger()
    await give_password(page, name)
    device, _, _ = await set_up(page)
    await page.context.clear_cookies()
    await give_password(page, name)
    await page.wait_for_url(re.compile("/console/sign-in/code"))
    monkeypatch.setattr(standing, "PATIENCE_S", 0.0)
    await give_code(page, device.now())
    await expect(page.get_by_text("That took too long")).to_be_visible()
