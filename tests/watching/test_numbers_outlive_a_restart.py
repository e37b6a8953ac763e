"""What is shown is what the rows say, whoever shows it and since when."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from app.models import statements
from tests.fakes.items import put_item
from tests.fakes.web import serving
from tests.watching.page import Page, scrape

SHOWN: dict[str, Callable[[Page], float | None]] = {
    "SELECT count(*) AS n FROM queue_items": lambda page: page.value("pillarbox_items"),
    "SELECT count(*) AS n FROM queue_items WHERE state = 'errored'": lambda page: page.value(
        "pillarbox_items", state="errored"
    ),
    "SELECT count(*) AS n FROM queue_items WHERE state = 'sending'": lambda page: page.value(
        "pillarbox_items", state="sending"
    ),
}


@asynccontextmanager
async def a_page() -> AsyncIterator[Page]:
    async with serving() as web:
        yield await scrape(web)


@pytest.mark.usefixtures("database_url", "redis_url")
async def test_a_process_that_has_just_started_shows_what_the_rows_say() -> None:
    """Field report 77."""
    async with a_page() as page:
        assert page.value("pillarbox_items") == 0
        for state in ("queued", "sending", "errored", "errored", "succeeded"):
            await put_item(state)
    async with a_page() as page:
        for sql, shown in SHOWN.items():
            [row] = await statements.run(sql)
            assert row["n"] > 0
            assert shown(page) == row["n"], sql
