"""At three in the morning: is it healthy, and where do I look?"""

import uuid

from playwright.async_api import Page, expect

from app.controllers.console.overview import reading
from app.items import pause
from app.models import statements
from app.models.queries import workers
from app.models.queries.workers import Standing
from tests.browser.given import put_history
from tests.browser.people import Context
from tests.browser.reading import cells, text_of, violations
from tests.fakes.items import put_item, raw

ADDRESS = "/console/overview"


async def put_worker(name: str = "worker-1") -> None:
    standing = Standing(name, uuid.uuid4(), "host", 1, "place", 1, ("high", "default"), 100)
    await workers.take(standing, 30.0)


async def test_all_is_well_while_everything_is_delivered(page: Page) -> None:
    await put_worker()
    for _ in range(3):
        item = await put_item("succeeded")
        await put_history(
            item.id, ("send", "queued", "sending"), ("succeed", "sending", "succeeded")
        )
    await page.goto(ADDRESS)
    assert (
        await text_of(page, ".verdict")
        == "All is well: 3 delivered in the last hour, nothing waits."
    )
    said = await text_of(page)
    assert "succeeded 3 3 in the last hour" in said
    assert "Workers alive 1" in said
    assert "Nothing went wrong within a day." in said
    picture = page.get_by_role(
        "img",
        name="Outcomes over the last hour: 3 succeeded, 0 unconfirmed, 0 cancelled, 0 errored",
    )
    assert await picture.locator("rect").count() == 1


async def test_the_worst_is_said_first(page: Page) -> None:
    await page.goto(ADDRESS)
    assert "Nothing is sent: no worker is alive." in await text_of(page, ".verdict")
    await put_worker()
    await put_item("queued", attempts=0, due_at=raw("now() - interval '5 minutes'"))
    reading.forget()
    await page.reload()
    assert "the oldest is due since 5 min" in await text_of(page, ".verdict")
    await pause.pause("sandbox", "The account is moved.", actor="anna")
    reading.forget()
    await page.reload()
    assert "sandbox is paused until somebody resumes it" in await text_of(page, ".verdict")
    assert "sandbox is paused: its messages wait." in await text_of(page, ".banner")


async def test_a_provider_that_refuses_is_named_with_its_numbers(page: Page) -> None:
    await put_worker()
    for number in range(10):
        item = await put_item("errored", error_kind="rejected")
        await statements.run(
            "UPDATE attempts SET outcome = $2, ended_at = started_at + interval '250 ms'"
            " WHERE id = $1",
            item.attempt,
            "accepted" if number < 4 else "rejected",
        )
    await page.goto(ADDRESS)
    assert "sandbox accepts only 40% of what it is given." in await text_of(page, ".verdict")
    rows = await cells(page, "div[aria-label=Providers] table")
    assert rows == [["sandbox", "yes", "10", "40.0%", "0", "0", "250 ms", "250 ms"]]


async def test_what_went_wrong_is_told_in_words_and_leads_to_its_item(page: Page) -> None:
    item = await put_item("errored", error_kind="rejected", receiver="anna@example.com")
    await put_history(item.id, ("error", "sending", "errored"), said="550 no such user")
    await page.goto(ADDRESS)
    said = await text_of(page, "section[aria-labelledby=wrong]")
    assert "Email to anna@example.com through sandbox. The provider refused it. 550 no" in said
    await page.get_by_role("link", name="Email to anna@example.com").click()
    await page.wait_for_url(f"**/console/items/{item.id}")


async def test_the_page_follows_what_happens(page: Page) -> None:
    await put_worker()
    await page.clock.install()
    await page.goto(ADDRESS)
    await expect(page.locator(".tiles")).to_contain_text("errored0")
    await put_item("errored", error_kind="rejected")
    reading.forget()
    await page.clock.run_for(6_000)
    await expect(page.locator(".tiles")).to_contain_text("errored1")


async def test_numbers_are_those_of_the_database(page: Page) -> None:
    for state, count in {"queued": 2, "delayed": 1, "cancelled": 3}.items():
        for _ in range(count):
            await put_item(state, attempts=0)
    await page.goto(ADDRESS)
    tiles = await page.locator(".tiles li").all_inner_texts()
    shown = {tile.split()[0]: tile.split()[1] for tile in tiles}
    rows = await statements.run("SELECT state, count(*) AS n FROM queue_items GROUP BY state")
    assert {s: n for s, n in shown.items() if n != "0"} == {r["state"]: str(r["n"]) for r in rows}


async def test_who_may_not_read_content_sees_numbers_and_no_names(enter: Context) -> None:
    item = await put_item("errored", error_kind="rejected", receiver="secret@example.com")
    await put_history(item.id, ("error", "sending", "errored"), said="550 secret")
    page = await enter("viewer")
    await page.goto(ADDRESS)
    assert "secret" not in await page.content()
    assert "The provider refused it." in await text_of(page)


async def test_the_overview_can_be_used_by_everybody(page: Page) -> None:
    item = await put_item("errored", error_kind="rejected")
    await put_history(item.id, ("error", "sending", "errored"))
    await put_worker()
    await page.goto(ADDRESS)
    await page.get_by_text("The same as a table").click()
    assert await violations(page) == []
