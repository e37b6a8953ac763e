"""Which pages are shown, and what is done there first."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from playwright.async_api import Page

type Prepare = Callable[[Page], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Shot:
    """``width`` and ``height`` of the window."""

    name: str
    address: str
    prepare: Prepare | None = None
    width: int = 1120
    height: int = 700


async def open_the_first(page: Page) -> None:
    await page.locator("tbody th a").first.click()
    await page.wait_for_url("**/console/items/*")
    await page.wait_for_load_state()


async def write_an_sms(page: Page) -> None:
    await page.locator("#receiver_cell").fill("+15550100001")
    await page.locator("#receiver_name").fill("Ada Lovelace")
    await page.locator("#sender_cell").fill("+15550100000")
    await page.locator("#body").fill("Danke! Wir haben’s verschickt – bis morgen.")
    await page.get_by_role("button", name="Preview").click()
    await page.locator("#preview .bubbles").wait_for()


PAGES = (
    Shot("overview", "/console/overview", height=980),
    Shot("queue", "/console/queue"),
    Shot("sent", "/console/sent"),
    Shot("item", "/console/queue?state=errored", open_the_first, height=1080),
    Shot("search", "/console/search?q=ada"),
    Shot("dead-letters", "/console/dead-letters"),
    Shot("reports", "/console/events"),
    Shot("providers", "/console/providers"),
    Shot("compose", "/console/compose?method=sms", write_an_sms),
    Shot("audit", "/console/audit"),
)
