"""Telephone numbers, E.164."""

import pytest

from app.items.numbers import check_number
from app.items.refusals import Refused


@pytest.mark.parametrize(
    "number",
    ["+14155550123", "+4915112345678", "+442079460958", "+390612345678"],
)
def test_numbers_in_the_international_form_are_kept_as_they_are(number: str) -> None:
    assert check_number(number) == number


@pytest.mark.parametrize("digit", range(10))
def test_the_numbers_of_the_sandbox_are_accepted(digit: int) -> None:
    assert check_number(f"+1555010000{digit}") == f"+1555010000{digit}"


@pytest.mark.parametrize(
    "number",
    [
        "4155550199",
        "+1 415 555 0123",
        "+1-415-555-0123",
        "+1555",
        "+1415555019945",
        "+999123456789",
        "+0123456789",
        "+14155550123\r\nTo: +14155550199",
        "tel:+14155550123",
        "+١٤١٥٥٥٥٠١٢٣",
        "+" + "1" * 1_000_000,
    ],
)
def test_other_forms_are_refused_without_being_repeated(number: str) -> None:
    with pytest.raises(Refused) as refusal:
        check_number(number)
    assert "+14155550123" in str(refusal.value)
    assert number not in str(refusal.value)


@pytest.mark.parametrize("given", [None, ""])
def test_a_missing_number_is_called_missing(given: object) -> None:
    with pytest.raises(Refused, match="missing"):
        check_number(given)


def test_a_number_is_text() -> None:
    with pytest.raises(Refused, match="text"):
        check_number(14155550123)
