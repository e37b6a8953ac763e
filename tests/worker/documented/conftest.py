"""The queue of an application with jobs of its own."""

from collections.abc import AsyncIterator

import pytest
from arvel.kernel import Application
from arvel.kernel.bootstrap import lifespan

from tests.worker.documented.application import create_app


@pytest.fixture
async def booted(database_url: str, redis_url: str) -> AsyncIterator[Application]:
    async with lifespan(create_app()) as application:
        yield application
