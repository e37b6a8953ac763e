"""Gives each suite about reports the captured reports of its provider."""

import pytest

from tests.providers.cases import reports_of


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    esp = getattr(metafunc.cls, "esp", None)
    if esp and "report" in metafunc.fixturenames:
        metafunc.parametrize("report", reports_of(esp))
