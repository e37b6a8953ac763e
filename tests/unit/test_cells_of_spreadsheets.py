"""What stands in a cell is never the beginning of a formula."""

import pytest

from app.controllers.console.audit import harmless


@pytest.mark.parametrize("text", ["plain", "a-b", "1 + 1", "anna@example.com", "x=1"])
def test_ordinary_text_stays_as_it_is_but_for_quotes(text: str) -> None:
    assert harmless(text).replace("'", "") == text


@pytest.mark.parametrize("sign", [*"=+-@\t\r", "＝", "＋", "－", "＠"])
@pytest.mark.parametrize("before", ["", " ", ",", ";", "|", '"', "\t", "x;"])
def test_a_formula_is_none(sign: str, before: str) -> None:
    assert f"{before}'{sign}" in harmless(f"{before}{sign}cmd")
