"""The same pages in a hand: nothing is cut off, and a finger or a keyboard leads everywhere."""

import pytest_asyncio
from playwright.async_api import Page, expect

from app.models import statements
from tests.browser.given import put_event, put_history
from tests.browser.people import Context
from tests.browser.reading import violations
from tests.fakes.items import put_item
from tests.feature.operating.given import email, put_letter

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
PLACES = [
    *("Overview", "Queue", "Sent", "Dead letters"),
    *("Reports", "Providers", "Compose", "Audit"),
]
FINGER = 44
"""Pixels."""

WIDTHS = "() => [document.documentElement.scrollWidth, innerWidth]"
TOO_SMALL = """least => 'a, button, summary, input, select, textarea'.split(', ')
  .flatMap((kind) => [...document.querySelectorAll(kind)])
  .filter((one) => one.checkVisibility({visibilityProperty: true}))
  .filter((one) => !one.matches('.skip, .unseen, [type=hidden]'))
  .filter((one) => !(one.matches('a') && one.parentElement.matches('p, dd, li:not(nav li)')))
  .map((one) => one.matches('[type=checkbox]') ? one.closest('label') : one)
  .filter((one) => one.getBoundingClientRect().height < least - 0.5)
  .map((one) => one.outerHTML.slice(0, 120))"""
"""But for links within a sentence, which is as high as its line."""


@pytest_asyncio.fixture(loop_scope="session")
async def phone(enter: Context) -> Page:
    return await enter("administrator", **PHONE)


async def test_no_page_is_wider_than_a_phone_nor_too_small_for_a_finger(phone: Page) -> None:
    for address in await everywhere():
        await phone.goto(address)
        wide, there = await phone.evaluate(WIDTHS)
        assert wide == there == PHONE["viewport"]["width"], address
        assert await phone.evaluate(TOO_SMALL, FINGER) == [], address


async def everywhere() -> list[str]:
    """All pages, with something on each."""
    item = await put_item("errored", error_kind="retries_exhausted")
    await put_history(item.id, ("send", "queued", "sending"), ("error", "sending", "errored"))
    event = await put_event(item.id, item.attempt, "bounced", "x" * 90, {"code": "5.1.1" * 30})
    await put_letter(item.id, item.attempt)
    [mail] = await email(subject="W" * 200, html=f"<p>{'long' * 90}</p>", text="t" * 300)
    pages = ("overview", "queue", "sent", "dead-letters", "events", "providers", "audit", "help")
    return [
        *(f"/console/{page}" for page in pages),
        *("/console/compose", "/console/compose?method=sms", "/console/search?q=example.com"),
        *(f"/console/items/{item.id}", f"/console/items/{item.id}/cancel"),
        *(f"/console/items/{mail.id}", f"/console/events/{event}"),
        *("/console/operations", "/console/second-factor", "/console/nowhere"),
    ]


async def test_every_place_is_on_the_screen_and_reached_by_a_finger(phone: Page) -> None:
    await phone.goto("/console/overview")
    for place in PLACES:
        link = phone.get_by_role("navigation", name="Pages").get_by_role("link", name=place)
        await expect(link).to_be_in_viewport(ratio=1)
        await link.tap()
        await expect(phone.get_by_role("heading", name=place, level=1)).to_be_visible()
        await expect(link).to_have_attribute("aria-current", "page")


async def test_every_place_is_reached_by_the_keyboard(phone: Page) -> None:
    await phone.goto("/console/overview")
    await phone.locator("#me summary").focus()
    reached: list[str] = []
    for _ in PLACES:
        await phone.keyboard.press("Tab")
        reached.append(await phone.evaluate("document.activeElement.textContent"))
    assert reached == PLACES
    await phone.keyboard.press("Enter")
    await phone.wait_for_url("**/console/audit")


async def test_a_picture_begins_with_now_and_stays_where_it_was_moved_to(phone: Page) -> None:
    item = await put_item("awaiting")
    await phone.clock.install()
    await phone.goto(f"/console/items/{item.id}")
    picture = phone.get_by_role("group", name="The way that items take")
    await expect(picture.locator(".now rect")).to_be_in_viewport(ratio=1)
    assert await violations(phone) == []
    await picture.focus()
    await picture.evaluate("one => { one.scrollLeft = 7; }")
    await statements.run("UPDATE queue_items SET result = 'It is slow.' WHERE id = $1", item.id)
    await phone.clock.run_for(4_000)
    await expect(phone.get_by_text("It is slow.").first).to_be_visible()
    await expect(picture).to_have_js_property("scrollLeft", 7)
    await phone.keyboard.press("ArrowRight")
    await expect(picture).not_to_have_js_property("scrollLeft", 7)
