"""Which pages are shown, and what is done there first."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from playwright.async_api import Page

type Prepare = Callable[[Page], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Shot:
    name: str
    address: str
    prepare: Prepare | None = None
    width: int = 1280
    height: int = 820


async def open_an_errored_item(page: Page) -> None:
    await page.locator("tbody th a").first.click()
    await page.wait_for_url("**/console/items/*")


PAGES = (
    Shot("overview", "/console/overview", height=1240),
    Shot("queue", "/console/queue"),
    Shot("sent", "/console/sent"),
    Shot("item", "/console/queue?state=errored", open_an_errored_item, height=1500),
    Shot("sms", "/console/sent?method=sms", open_an_errored_item, height=1300),
    Shot("search", "/console/search?q=ada"),
)
