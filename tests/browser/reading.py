"""What a person reads on a page, and what a screen reader or a check of accessibility finds."""

from pathlib import Path
from typing import Any

from playwright.async_api import Page

AXE = (Path(__file__).parent / "axe" / "axe.min.js").read_text("utf-8")
THEMES = ("light", "dark")


async def text_of(page: Page, selector: str = "main") -> str:
    """The visible text, with single spaces."""
    return " ".join((await page.locator(selector).first.inner_text()).split())


async def cells(page: Page, selector: str = "main table") -> list[list[str]]:
    """The rows of a table, as texts; without the box to select a row by."""
    rows = page.locator(f"{selector} tbody tr")
    return [
        [
            " ".join(text.split())
            for text in await rows.nth(n).locator("td:not(.pick), th:not(.pick)").all_inner_texts()
        ]
        for n in range(await rows.count())
    ]


async def violations(page: Page) -> list[str]:
    """What axe finds wrong with the page, in both themes."""
    if not await page.evaluate("typeof window.axe === 'object'"):
        await page.evaluate(AXE)
    found: list[str] = []
    for theme in THEMES:
        await page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        result: dict[str, Any] = await page.evaluate(
            "axe.run(document, {resultTypes: ['violations'], iframes: false})"
        )
        found += [
            f"{theme}: {wrong['id']}: {node['html'][:160]} {node['failureSummary']}"
            for wrong in result["violations"]
            for node in wrong["nodes"]
        ]
    return found
