"""An incident is over: what failed is retried, all of it, once (field report 76)."""

from playwright.async_api import Page, expect

from app.items import bulk_operations
from app.models import statements
from tests.browser.people import Context
from tests.browser.reading import cells, text_of, violations
from tests.fakes.items import put_item, state_of
from tests.feature.operating.given import bring_to, copies_of, email, fill, work_off


async def test_selected_items_are_retried_after_a_look_at_what_that_means(page: Page) -> None:
    refused = await put_item("errored", error_kind="rejected", receiver="a@example.com")
    doubtful = await put_item("errored", error_kind="outcome_unknown", receiver="b@example.com")
    left = await put_item("errored", error_kind="rejected", receiver="c@example.com")
    await page.goto("/console/queue")
    await page.get_by_label("Select a@example.com").check()
    await page.get_by_label("Select b@example.com").check()
    await page.get_by_role("button", name="Retry the selected (2)").click()
    said = await text_of(page)
    assert "1 item is queued again." in said
    assert "1 other may have been sent already." in said
    assert await state_of(refused.id) == "errored"
    await page.get_by_role("button", name="Retry", exact=True).click()
    await expect(page.get_by_role("link", name="Back to the list")).to_be_visible()
    results = {row[0]: row[1] for row in await cells(page)}
    assert results == {str(refused.id): "retried", str(doubtful.id): "unknown"}
    assert [await state_of(one.id) for one in (refused, doubtful, left)] == [
        *("queued", "errored", "errored")
    ]


async def test_what_may_have_been_sent_is_taken_along_only_when_that_is_said(page: Page) -> None:
    doubtful = await put_item("errored", error_kind="outcome_unknown")
    await page.goto("/console/queue")
    await page.get_by_label("Select someone@example.com").check()
    await page.get_by_role("button", name="Retry the selected").click()
    await page.get_by_label("Also the 1 that may have been sent").check()
    await page.get_by_role("button", name="Retry", exact=True).click()
    await expect(page.get_by_text("1 item retried.")).to_be_visible()
    assert await state_of(doubtful.id) == "queued"


async def test_all_that_match_are_counted_confirmed_and_worked_off_once(page: Page) -> None:
    await fill(2_300)
    await fill(3, error_kind="opted_out")
    await page.goto("/console/queue?state=errored&error_kind=rejected")
    await page.get_by_role("button", name="Retry all that match").click()
    assert "2,300 items match: items with error kind rejected, state errored." in await text_of(
        page
    )
    form = {
        await field.get_attribute("name") or "": await field.get_attribute("value") or ""
        for field in await page.locator("form.panel input").all()
    }
    await page.get_by_role("button", name="Retry 2,300 items").click()
    await page.wait_for_url("**/console/operations/*")
    address = page.url
    again = await page.request.post("/console/bulk/all", form=form)
    assert again.url == address

    [row] = await statements.run("SELECT id FROM bulk_operations")
    found = await bulk_operations.find(row["id"])
    assert found is not None
    await work_off(found)
    await page.reload()
    said = await text_of(page)
    assert "It is finished" in said
    assert "2,300 of 2,300" in said
    assert "Retried 2,300 Refused 0" in said
    counts = await statements.run(
        "SELECT state, count(*) AS n FROM queue_items WHERE state <> 'queued' OR email_id IN"
        " (SELECT email_id FROM queue_items WHERE state = 'queued') GROUP BY state ORDER BY state"
    )
    assert {r["state"]: r["n"] for r in counts}["errored"] == 3
    await page.get_by_role("link", name="refused 0").click()
    assert "No result of this kind" in await text_of(page)


async def test_filters_that_no_operation_has_say_so(page: Page) -> None:
    await put_item("errored", error_kind="rejected")
    await page.goto("/console/queue?q=someone")
    await page.get_by_role("button", name="Cancel all that match").click()
    said = await text_of(page, ".notices")
    assert "All that match can't be chosen by a part of a name or address" in said
    await page.get_by_role("button", name="Cancel the selected").click()
    assert "Select at least one item first." in await text_of(page, ".notices")


async def test_sent_items_are_sent_again_once(page: Page) -> None:
    [item] = await email()
    await bring_to("succeeded", item.id)
    await page.goto("/console/sent")
    await page.get_by_label("Select Anna").check()
    await page.get_by_role("button", name="Send again the selected").click()
    await page.get_by_role("button", name="Send again", exact=True).click()
    await expect(page.get_by_text("1 item copied.")).to_be_visible()
    await page.reload()
    assert len(await copies_of(item.id)) == 1


async def test_an_operation_is_stopped(page: Page) -> None:
    await fill(5)
    await page.goto("/console/queue")
    await page.get_by_role("button", name="Cancel all that match").click()
    assert "6 items match: all items that it can be applied to." in await text_of(page)
    await page.get_by_role("button", name="Cancel 6 items").click()
    await page.get_by_role("button", name="Stop it").click()
    await expect(page.get_by_text("It was stopped")).to_be_visible()
    await page.goto("/console/operations")
    assert [row[4] for row in await cells(page)] == ["cancelled"]


async def test_who_may_not_act_has_nothing_to_select_with(enter: Context) -> None:
    await put_item("errored", error_kind="rejected")
    page = await enter("support")
    await page.goto("/console/queue")
    assert await page.get_by_role("checkbox").count() == 0
    assert await page.get_by_role("button", name="Retry").count() == 0


async def test_many_are_acted_on_without_a_script_and_by_everybody(enter: Context) -> None:
    item = await put_item("errored", error_kind="rejected")
    page = await enter("administrator", java_script_enabled=False)
    await page.goto("/console/queue")
    await page.get_by_label("Select someone@example.com").check()
    await page.get_by_role("button", name="Cancel the selected").click()
    await page.get_by_role("button", name="Cancel", exact=True).click()
    assert await state_of(item.id) == "cancelled"
    scripted = await enter("administrator")
    await fill(2)
    await scripted.goto("/console/queue")
    await scripted.locator("thead .pick input").check()
    assert await violations(scripted) == []
    for name in ("Retry the selected (3)", "Retry all that match"):
        await scripted.goto("/console/queue")
        await scripted.locator("thead .pick input").check()
        await scripted.get_by_role("button", name=name).click()
        await scripted.wait_for_url("**/console/bulk")
        assert await violations(scripted) == [], name
    await scripted.get_by_role("button", name="Retry 2 items").click()
    await scripted.wait_for_url("**/console/operations/*")
    assert await violations(scripted) == []
