"""A server that the console needs is away: it says so, and what is safe."""

from local import Services
from tests.browser.people import Context
from tests.browser.reading import text_of


async def test_without_sessions_nobody_is_let_in_and_all_are_told_what_is_wrong(
    enter: Context, services: Services
) -> None:
    page = await enter("administrator")
    await page.goto("/console/queue")
    services.valkey.kill()
    try:
        answer = await page.goto("/console/queue")
        assert answer is not None
        assert answer.status == 503
        said = await text_of(page)
        assert "A server that this needs does not answer" in said
        assert "Messages that were accepted are safe." in said
    finally:
        services.valkey.start()


async def test_without_the_database_the_page_says_so_and_comes_back(
    enter: Context, services: Services
) -> None:
    page = await enter("administrator")
    await page.goto("/console/queue")
    services.postgres.kill()
    try:
        answer = await page.goto("/console/queue")
        assert answer is not None
        assert answer.status == 503
        assert "A server that this needs does not answer" in await text_of(page)
    finally:
        services.postgres.start()
    answer = await page.goto("/console/queue")
    assert answer is not None
    assert answer.ok
