"""The API describes itself: a document for tools, and a page for people."""

from app.controllers.api.problems import KINDS
from app.controllers.api.table import OPERATIONS
from tests.fakes.web import Web


async def test_the_page_shows_every_operation_and_every_problem(web: Web) -> None:
    page = await web.client.get("/api/docs")
    assert page.headers["content-type"].startswith("text/html")
    for operation in OPERATIONS:
        assert f'id="{operation.name}"' in page.text
    for slug in KINDS:
        assert f'id="problem-{slug}"' in page.text


async def test_the_page_loads_nothing_from_elsewhere(web: Web) -> None:
    page = await web.client.get("/api/docs")
    assert "://" not in page.text.replace("http://127.0.0.1", "")
    assert "script-src" not in page.headers["content-security-policy"]
    assert (await web.client.get("/api/docs.css")).headers["content-type"].startswith("text/css")


def test_every_operation_is_described_with_an_example() -> None:
    for operation in OPERATIONS:
        assert operation.summary, operation.name
        assert operation.description, operation.name
        if operation.body is not None:
            assert operation.example is not None, f"{operation.name} needs an example"
