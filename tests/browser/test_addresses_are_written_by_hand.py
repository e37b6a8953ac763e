"""Somebody follows a link that is broken or made up: it is refused in words, not half obeyed."""

from playwright.async_api import Page

from tests.browser.people import Context
from tests.browser.reading import text_of
from tests.fakes.items import put_item

LATEST, EARLIEST = "9999-12-31T23:59", "0001-01-01T00:00"

REFUSED = {
    "/console/queue?receiver=%ff": 400,
    "/console/queue?tag=%00": 400,
    "/console/sent?" + "a=b&" * 1_200: 400,
    "/console/search?q=%00": 400,
    "/console/audit.csv?who=%ff": 400,
    "/console/audit?who=%00": 400,
    "/console/audit?what=retrial": 422,
    f"/console/audit?since={LATEST}&since_zone=-23:00": 422,
    f"/console/audit?until={EARLIEST}&until_zone=%2B23:00": 422,
    f"/console/audit?before={LATEST}:00-23:00+h1": 422,
    "/console/audit?before=2026-05-01T00:00:00Z+%00": 400,
    "/console/dead-letters/cause?deed=retry&kind=bogus": 400,
    "/console/dead-letters/cause?deed=retry&job=%00": 400,
}


async def test_what_an_address_says_is_refused_where_it_cannot_be_meant(page: Page) -> None:
    answers = {address: await page.request.get(address) for address in REFUSED}
    assert {address: answer.status for address, answer in answers.items()} == REFUSED


async def test_who_is_refused_still_finds_the_way_back(page: Page) -> None:
    await page.goto("/console/queue?receiver=%ff")
    assert "What the browser sent can't be read." in await text_of(page)
    await page.get_by_role("link", name="Queue", exact=True).click()
    await page.wait_for_url("**/console/queue")


async def test_a_link_does_not_choose_what_a_button_does(enter: Context) -> None:
    chosen = await put_item("errored", error_kind="rejected", receiver="a@example.com")
    other = await put_item("errored", error_kind="rejected", receiver="b@example.com")
    page = await enter("administrator")
    made_up = f"action=cancel&all=cancel&id={other.id}&then=/console/audit"
    await page.goto(f"/console/queue?state=errored&{made_up}")
    await page.get_by_label("Select a@example.com").check()
    await page.get_by_role("button", name="Retry the selected (1)").click()
    assert "Retry: 1 item" in await text_of(page)
    ids = page.locator("input[name=id]")
    assert [await one.get_attribute("value") for one in await ids.all()] == [str(chosen.id)]
    await page.get_by_role("link", name="Leave them as they are").click()
    await page.wait_for_url("**/console/queue?*")
