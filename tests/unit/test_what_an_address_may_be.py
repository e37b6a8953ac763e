"""Email addresses as callers give them and as they are kept."""

import timeit

import pytest

from app.items.addresses import check_address
from app.items.refusals import Refused


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("a@faß.de", "a@xn--fa-hia.de"),
        ("a@xn--fa-hia.de", "a@xn--fa-hia.de"),
        ("a@ü.example", "a@xn--tda.example"),
        ("Anna.B+tag@EXAMPLE.com", "Anna.B+tag@example.com"),
        ("ünicode@example.com", "ünicode@example.com"),
        ("delivered@sandbox.example", "delivered@sandbox.example"),
    ],
)
def test_the_domain_is_kept_as_a_labels_of_idna_2008(given: str, kept: str) -> None:
    """Field report 49: IDNA 2003 makes another person's domain of faß.de."""
    assert check_address(given) == kept


@pytest.mark.parametrize(
    "given",
    [
        "someone",
        "@example.com",
        "a@",
        "a@localhost",
        "a b@example.com",
        "Anna <a@example.com>",
        "a@example.com, b@example.com",
        "a@example..com",
        "a@☃.net",
        "a@exa\ud800mple.com",
        "a@example.com\r\nBcc: evil@example.com",
        "a\0@example.com",
        "a@-example.com",
    ],
)
def test_what_is_no_address_is_refused_without_being_repeated(given: str) -> None:
    """Field report 48."""
    with pytest.raises(Refused) as refusal:
        check_address(given)
    assert str(refusal.value) == "Is not an email address such as name@example.com."


@pytest.mark.parametrize("given", [None, ""])
def test_a_missing_address_is_called_missing(given: object) -> None:
    with pytest.raises(Refused, match="missing"):
        check_address(given)


@pytest.mark.parametrize("given", [7, b"a@example.com", ["a@example.com"], True])
def test_what_is_no_text_is_no_address(given: object) -> None:
    with pytest.raises(Refused, match="text"):
        check_address(given)


def test_an_address_may_have_254_characters_and_no_more() -> None:
    domain = ".".join(["d" * 59] * 4)
    longest = "x" * (254 - len(domain) - 1) + "@" + domain
    assert check_address(longest) == longest
    with pytest.raises(Refused, match="254"):
        check_address("x" + longest)


def test_the_length_that_counts_is_that_of_the_ascii_domain() -> None:
    with pytest.raises(Refused, match=r"254|not an email"):
        check_address("x" * 60 + "@" + ".".join(["ü" * 30] * 5) + ".de")


def test_a_megabyte_is_refused_before_it_is_parsed() -> None:
    taken = min(timeit.repeat(refuse_a_megabyte, number=1, repeat=5))
    assert taken < 0.01


def refuse_a_megabyte() -> None:
    with pytest.raises(Refused):
        check_address("a" * 1_000_000 + "@example.com")
