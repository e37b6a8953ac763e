"""A browser that goes from page to page and takes pictures."""

import asyncio
import shutil
import tempfile
from pathlib import Path

from playwright.async_api import Page, async_playwright

from local.screenshots.ages import spread
from local.screenshots.pages import PAGES, Shot

FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
WIDTH, HEIGHT = 1120, 700
THEMES = ("light", "dark")
SETTLED_S = 25.0
"""Seconds in which most of the messages come to rest."""

KEPT_S = 3.0
"""For so long the overview shows what it has counted."""


async def take_all(address: str, name: str, password: str, into: Path) -> None:
    program = shutil.which("chromium")
    if program is None:
        raise SystemExit("Chromium is not installed: apt-get install chromium.")
    with tempfile.TemporaryDirectory() as home:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(
                executable_path=program, args=list(FLAGS), env={"HOME": home, "LANG": "C.UTF-8"}
            )
            page = await browser.new_page(
                base_url=address, viewport={"width": WIDTH, "height": HEIGHT}, timezone_id="UTC"
            )
            await _sign_in(page, name, password)
            await asyncio.sleep(SETTLED_S)
            await spread()
            await asyncio.sleep(KEPT_S)
            for shot in PAGES:
                await _take(page, shot, into)
            await browser.close()


async def _sign_in(page: Page, name: str, password: str) -> None:
    await page.goto("/console/sign-in")
    await page.get_by_label("Name or address").fill(name)
    await page.get_by_label("Password").fill(password)
    await page.get_by_role("button", name="Sign in").click()
    await page.wait_for_url("**/console/*")


async def _take(page: Page, shot: Shot, into: Path) -> None:
    await page.goto(shot.address)
    if shot.prepare is not None:
        await shot.prepare(page)
    await page.set_viewport_size({"width": shot.width, "height": shot.height})
    for theme in THEMES:
        await page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        await page.screenshot(path=into / f"{shot.name}-{theme}.png")
