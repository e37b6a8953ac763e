"""The database alone, for tests of what happens to rows."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.items import unrecorded
from app.models import statements
from app.models.statements import Statements
from app.settings import DispatchSettings
from app.transports import channels
from app.transports.channels import Channels


@pytest.fixture
async def database(
    database_url: str, storage: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Statements]:
    """An empty database that the application's statements run on, no channel and no files."""
    settings = DispatchSettings(storage=str(storage))
    monkeypatch.setattr(unrecorded, "DispatchSettings", lambda: settings)
    pool = Statements(database_url.replace("+asyncpg", ""), 20)
    statements.use(pool)
    channels.use(Channels())
    yield pool
    await pool.close()
