"""Outside production only named receivers are reached."""

import pytest

from app.transports.allowed import NotAnAllowance, may_reach


def reaches(address: str, allow: str) -> bool:
    return may_reach(address, production=False, allow=allow)


@pytest.mark.parametrize("address", ["anna@example.com", "+14155550123"])
def test_nobody_is_reached_unless_named(address: str) -> None:
    """Field report 84."""
    assert not reaches(address, "")
    assert not reaches(address, " , ")


@pytest.mark.parametrize("address", ["anna@example.com", "+14155550123"])
def test_everybody_is_reached_in_production_and_with_a_star(address: str) -> None:
    assert may_reach(address, production=True, allow="")
    assert reaches(address, "*")


@pytest.mark.parametrize(
    ("address", "allow", "reached"),
    [
        ("anna@example.com", "anna@example.com", True),
        ("Anna@Example.com", "ANNA@example.COM", True),
        ("bob@example.com", "anna@example.com", False),
        ("anna@example.com", "@example.com", True),
        ("anna@mail.example.com", "@example.com", False),
        ("anna@notexample.com", "@example.com", False),
        ("anna@example.com.evil", "@example.com", False),
        ("anna@xn--fa-hia.de", "@faß.de", True),
        ("anna@fass.de", "@faß.de", False),
        ("+14155550123", "x@y.example, +14155550123", True),
        ("+14155550124", "+14155550123", False),
        ("+141555501234", "+14155550123", False),
        ("", "@example.com", False),
    ],
)
def test_an_entry_allows_exactly_what_it_names(address: str, allow: str, reached: bool) -> None:
    assert reaches(address, allow) is reached


@pytest.mark.parametrize(
    "entry", ["example.com", "*@example.com", "14155550123", "**", "a@b@c", "a b@example.com", "@"]
)
def test_an_entry_that_can_not_be_read_lets_nothing_through(entry: str) -> None:
    with pytest.raises(NotAnAllowance, match="Entry 2"):
        reaches("anna@example.com", f"anna@example.com,{entry}")
