"""The database alone, for races between statements."""

from tests.feature.conftest import database

__all__ = ["database"]
