"""The database alone, for tests of what happens to rows."""

from collections.abc import AsyncIterator

import pytest

from app.models import statements
from app.models.statements import Statements


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Statements]:
    """An empty database that the application's statements run on."""
    pool = Statements(database_url.replace("+asyncpg", ""), 20)
    statements.use(pool)
    yield pool
    await pool.close()
