"""The web process that is watched, and what a page of metrics says."""

from collections.abc import AsyncIterator

import pytest

from tests.fakes.web import Web, serving


@pytest.fixture
async def web(database_url: str, redis_url: str) -> AsyncIterator[Web]:
    async with serving() as running:
        yield running
