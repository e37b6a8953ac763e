"""Empty servers, and a doctor to look at them."""

from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import pytest

from app.models.statements import Statements
from local import Services
from tests.feature.doctor.given import Found, look

type Examine = Callable[..., Awaitable[Found]]


@pytest.fixture
def examine(services: Services, database: Statements, redis_url: str, tmp_path: Path) -> Examine:
    """Look at an installation on empty servers; ``environment`` as keywords."""
    return partial(look, services, tmp_path / "storage")
