"""The application with a queue that only remembers, and settings that a test chooses."""

from collections.abc import Callable

import pytest
from arvel.kernel import Application

from tests.feature.compose.conftest import Published, published

__all__ = ["published"]

type Keep = Callable[..., None]


@pytest.fixture
def keep(application: Application, published: Published) -> Keep:
    """Sets what is kept for how long, as the environment does: ``keep(history_keep_days=35)``."""

    def set_all(**settings: float) -> None:
        for name, value in settings.items():
            application.make("config").set(f"dispatch.{name}", value)

    return set_all
