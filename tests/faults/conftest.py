"""Real servers and the application's environment, for tests that kill what can be killed."""

from tests.feature.conftest import database

__all__ = ["database"]
