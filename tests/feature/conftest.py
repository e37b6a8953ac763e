"""The database alone, for tests of what happens to rows."""

from collections.abc import AsyncIterator

import pytest

from app.models import statements
from app.models.statements import Statements
from app.transports import channels
from app.transports.channels import Channels


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Statements]:
    """An empty database that the application's statements run on, and no channel."""
    pool = Statements(database_url.replace("+asyncpg", ""), 20)
    statements.use(pool)
    channels.use(Channels())
    yield pool
    await pool.close()
