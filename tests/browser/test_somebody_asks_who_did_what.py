"""An auditor asks who did what, and takes it along."""

import csv
import io
import uuid

from playwright.async_api import Page

from app.items import pause
from app.items.bulk import ACTIONS
from app.models import statements
from app.models.queries.operate import Decision
from tests.browser.people import Context
from tests.browser.reading import cells, text_of, violations
from tests.fakes.items import put_item

ADDRESS = "/console/audit"


async def decide(action: str, actor: str) -> uuid.UUID:
    item = await put_item("errored", error_kind="rejected")
    await ACTIONS[action]([item.id], Decision(actor))
    return item.id


async def test_decisions_of_people_are_listed_the_latest_first(page: Page) -> None:
    retried = await decide("retry", "anna/console")
    await decide("cancel", "bob")
    await pause.pause("sandbox", "It is moved.", actor="anna")
    await page.goto(ADDRESS)
    rows = await cells(page)
    assert [row[1:3] for row in rows] == [
        ["anna", "pause"],
        ["bob", "cancel"],
        ["anna/console", "retry"],
    ]
    assert rows[2][3:5] == [str(retried)[-12:], "errored → queued"]
    await page.get_by_label("Who").fill("anna")
    await page.get_by_label("What").select_option("retry")
    await page.get_by_role("button", name="Filter").click()
    await page.wait_for_url("**/console/audit?*")
    assert [row[1] for row in await cells(page)] == ["anna/console"]
    await page.locator("tbody a").click()
    await page.wait_for_url(f"**/console/items/{retried}")


async def test_pages_follow_each_other_also_where_many_share_a_moment(page: Page) -> None:
    items = [(await put_item("errored", error_kind="rejected")).id for _ in range(130)]
    await ACTIONS["retry"](items, Decision("anna"))
    await page.goto(ADDRESS)
    first = [row[3] for row in await cells(page)]
    await page.get_by_role("link", name="Next page").click()
    await page.wait_for_url("**before=*")
    second = [row[3] for row in await cells(page)]
    assert (len(first), len(second)) == (100, 30)
    assert {*first, *second} == {str(item)[-12:] for item in items}


async def test_the_csv_holds_the_same_and_no_formula(page: Page) -> None:
    await decide("retry", "=cmd|' /C calc'!A0")
    await pause.pause("sandbox", '@SUM(1);=2+5\t+3,"-4"\n=5', actor="+anna")
    await page.goto(ADDRESS)
    async with page.expect_download() as started:
        await page.get_by_role("link", name="Save as CSV").click()
    download = await started.value
    assert download.suggested_filename == "audit.csv"
    text = (await download.path()).read_text()
    rows = list(csv.reader(io.StringIO(text)))
    assert rows[0] == ["At (UTC)", "Who", "What", "Item", "From", "To", "Text"]
    assert [row[2] for row in rows[1:]] == ["pause", "retry"]
    for separator in ",;\t|":
        for row in csv.reader(io.StringIO(text), delimiter=separator):
            assert not [cell for cell in row if cell.strip('" ')[:1] in set("=+-@")], separator


async def test_texts_are_hidden_from_who_may_not_read_content(enter: Context) -> None:
    await pause.pause("sandbox", "Anna complained.", actor="bob")
    await statements.run("SELECT 1")
    page = await enter("viewer")
    await page.goto(ADDRESS)
    assert "Anna" not in await page.content()
    answer = await page.request.get(f"{ADDRESS}.csv")
    assert "Anna" not in await answer.text()
    assert "bob" in await text_of(page)


async def test_the_audit_can_be_used_by_everybody(page: Page) -> None:
    await page.goto(ADDRESS)
    assert "Nobody did anything" in await text_of(page)
    assert await violations(page) == []
    await decide("retry", "anna")
    await page.goto(ADDRESS)
    assert await violations(page) == []
