"""The API behind a real socket, and a client that may do everything."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.fakes.access import bearer, put_token
from tests.fakes.web import Web, serving


@pytest.fixture
async def web(database_url: str, redis_url: str, tmp_path: Path) -> AsyncIterator[Web]:
    async with serving(STORAGE_PATH=str(tmp_path / "storage")) as running:
        yield running


@pytest.fixture
async def api(web: Web) -> Web:
    """The same with a token that has every permission in each request."""
    web.client.headers.update(bearer(await put_token()))
    return web
