"""What can I do about this message? What can be done is done; what can't says why."""

import pytest
from playwright.async_api import Page, expect

from tests.browser.people import Context
from tests.browser.reading import text_of, violations
from tests.fakes.items import put_item, state_of
from tests.feature.operating.given import bring_to, copies_of, email

AGAIN = "Go on, although the receiver may get it twice"


async def test_a_refused_item_is_retried_at_once(page: Page) -> None:
    item = await put_item("errored", error_kind="rejected")
    await page.goto(f"/console/items/{item.id}")
    await page.get_by_role("button", name="Retry").click()
    await expect(page.get_by_text("It is queued again.")).to_be_visible()
    assert await state_of(item.id) == "queued"
    who = await page.locator("#me summary").inner_text()
    assert who in await text_of(page, ".timeline")


async def test_an_item_of_unknown_outcome_is_retried_only_by_who_says_so(page: Page) -> None:
    item = await put_item("errored", error_kind="outcome_unknown")
    await page.goto(f"/console/items/{item.id}")
    await page.get_by_role("link", name="Retry").click()
    assert "may have been sent" in await text_of(page)
    await page.get_by_role("button", name="Retry").click()
    assert await state_of(item.id) == "errored"
    await page.get_by_label(AGAIN).check()
    await page.get_by_role("button", name="Retry").click()
    await expect(page.get_by_text("It is queued again.")).to_be_visible()
    assert await state_of(item.id) == "queued"


async def test_what_is_cancelled_is_asked_for_first(page: Page) -> None:
    item = await put_item("queued", attempts=0)
    await page.goto(f"/console/items/{item.id}")
    await page.get_by_role("link", name="Cancel").click()
    assert "nothing more is sent of it" in await text_of(page)
    assert await state_of(item.id) == "queued"
    await page.get_by_role("button", name="Cancel").click()
    await expect(page.get_by_text("It is cancelled.")).to_be_visible()
    assert await state_of(item.id) == "cancelled"


async def test_a_copy_is_sent_once_however_often_the_form_comes(page: Page) -> None:
    [item] = await email()
    await bring_to("succeeded", item.id)
    await page.goto(f"/console/items/{item.id}/resend")
    fields = {
        name: await page.locator(f"main input[name={name}]").get_attribute("value") or ""
        for name in ("_token", "key")
    }
    await page.get_by_role("button", name="Send again").click()
    await expect(page.get_by_text("This is the copy; it is queued.")).to_be_visible()
    address = page.url
    again = await page.request.post(f"/console/items/{item.id}/resend", form=fields)
    assert again.url == address
    [copy] = await copies_of(item.id)
    assert address.endswith(str(copy.id))
    await page.get_by_role("link", name=str(item.id)).click()
    await page.wait_for_url(f"**/console/items/{item.id}")


@pytest.mark.parametrize(
    ("state", "refused"),
    [
        ("succeeded", {"Retry": "succeeded", "Cancel": "succeeded"}),
        ("sending", {"Retry": "being sent", "Cancel": "being sent", "Send again": "Only what is"}),
        ("awaiting", {"Retry": "awaiting", "Cancel": "awaiting", "Send again": "Only what is"}),
    ],
)
async def test_what_can_not_be_done_says_why(
    page: Page, state: str, refused: dict[str, str]
) -> None:
    item = await put_item(state)
    await page.goto(f"/console/items/{item.id}")
    for name, why in refused.items():
        button = page.get_by_role("button", name=name, exact=True)
        assert await button.is_disabled()
        described = await button.get_attribute("aria-describedby")
        assert why in await page.locator(f"#{described}").inner_text()


async def test_who_lacks_a_permission_is_told_which(enter: Context) -> None:
    item = await put_item("errored", error_kind="rejected")
    page = await enter("support")
    await page.goto(f"/console/items/{item.id}")
    assert "Retry: This needs can_retry." in await text_of(page, ".why")
    token = await page.locator("input[name=_token]").first.get_attribute("value") or ""
    answer = await page.request.post(f"/console/items/{item.id}/retry", form={"_token": token})
    assert answer.status == 403
    assert await state_of(item.id) == "errored"


async def test_who_comes_second_sees_what_it_is_now(page: Page) -> None:
    item = await put_item("errored", error_kind="rejected")
    await page.goto(f"/console/items/{item.id}")
    await bring_to("cancelled", item.id)
    await page.get_by_role("button", name="Retry").click()
    await expect(page.locator(".item-head .state")).to_have_text("cancelled")
    assert "An item that is cancelled can't be changed by retry." in await text_of(page, ".notices")


async def test_keys_retry_and_cancel(page: Page) -> None:
    item = await put_item("errored", error_kind="rejected")
    await page.goto(f"/console/items/{item.id}")
    await page.keyboard.press("c")
    await page.wait_for_url("**/cancel")
    await page.go_back()
    await page.keyboard.press("r")
    await expect(page.get_by_text("It is queued again.")).to_be_visible()


async def test_everything_is_done_without_a_script(enter: Context) -> None:
    page = await enter("administrator", java_script_enabled=False)
    item = await put_item("errored", error_kind="outcome_unknown")
    await page.goto(f"/console/items/{item.id}")
    await page.get_by_role("link", name="Retry").click()
    await page.get_by_label(AGAIN).check()
    await page.get_by_role("button", name="Retry").click()
    await page.get_by_role("link", name="Cancel").click()
    await page.get_by_role("button", name="Cancel").click()
    await expect(page.get_by_text("It is cancelled.")).to_be_visible()


async def test_the_question_can_be_answered_by_everybody(page: Page) -> None:
    item = await put_item("errored", error_kind="outcome_unknown")
    await page.goto(f"/console/items/{item.id}/retry")
    assert await violations(page) == []
