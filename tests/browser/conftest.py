"""The console behind a real socket, and people with a browser in front of it.

One browser serves all tests of a process, one application those of a file, one context each test.
"""

import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import asyncpg
import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, async_playwright, expect

from app.controllers.console.overview import reading
from local import Services
from tests.browser.people import Context, People
from tests.fakes.waiting import patience
from tests.fakes.web import Web, serving
from tests.services.cleaning import TABLES, delete, empty_database, empty_redis

KEPT = {"users"}
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
MISSING = "Chromium is not installed: apt-get install chromium, or bin/setup as root"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All in one loop, in which the browser lives."""
    here = str(Path(__file__).parent)
    for item in items:
        if str(item.path).startswith(here) and "web" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    program = shutil.which("chromium")
    if program is None:
        pytest.skip(MISSING)
    expect.set_options(timeout=patience(5) * 1000)
    with tempfile.TemporaryDirectory() as home:
        async with async_playwright() as playwright:
            started = await playwright.chromium.launch(
                executable_path=program, args=list(FLAGS), env={"HOME": home, "LANG": "C.UTF-8"}
            )
            yield started
            await started.close()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def web(
    services: Services, browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Web]:
    await empty_database(services)
    await empty_redis(services)
    storage = tmp_path_factory.mktemp("console") / "storage"
    async with serving(STORAGE_PATH=str(storage)) as running:
        yield running


@pytest_asyncio.fixture(autouse=True, loop_scope="session")
async def clean(web: Web, services: Services) -> None:
    """Nothing of the test before, but for the people."""
    reading.forget()
    url = getattr(services.postgres, "admin_url", services.database_url.replace("+asyncpg", ""))
    connection = await asyncpg.connect(url)
    try:
        names = [row[0] for row in await connection.fetch(TABLES) if row[0] not in KEPT]
        looks = [f"SELECT '{name}' WHERE EXISTS (SELECT FROM {name})" for name in names]
        used = [row[0] for row in await connection.fetch(" UNION ALL ".join(looks))]
        if used:
            await connection.execute(delete(used))
    finally:
        await connection.close()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def people(web: Web, browser: Browser) -> People:
    return People(web, browser)


@pytest_asyncio.fixture(loop_scope="session")
async def enter(people: People) -> AsyncIterator[Context]:
    """Opens windows; at the end nothing may have broken the policy or failed in a script."""
    async with AsyncExitStack() as stack:
        context = Context(people, stack)
        yield context
        assert context.complaints == []


@pytest_asyncio.fixture(loop_scope="session")
async def page(enter: Context) -> Page:
    """A window of somebody who may do everything."""
    return await enter("administrator")
