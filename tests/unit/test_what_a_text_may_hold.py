"""No text that a caller gives can begin a header of its own."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.items.headers import check_headers
from app.items.origins import check_origin
from app.items.refusals import InvalidMessage, Problems, Refused
from app.items.tags import check_tag
from app.items.texts import check_file_name, check_name, check_subject, check_text
from app.items.uploads import check_content_id


def check_header_value(value: object) -> object:
    problems = Problems()
    headers = check_headers({"X-Any": value}, problems)
    problems.raise_if_any()
    return headers


def check_header_name(value: object) -> object:
    problems = Problems()
    headers = check_headers({f"X-{value}": "text"}, problems)
    problems.raise_if_any()
    return headers


ONE_LINE: list[Callable[[object], object]] = [
    check_name,
    check_subject,
    check_tag,
    check_file_name,
    check_content_id,
    check_header_value,
    check_header_name,
    lambda value: check_origin((value, 1)),
    lambda value: check_origin(("order", value)),
]
BREAKS = "".join(map(chr, (*range(32), *range(127, 160), 0x2028, 0x2029)))


@pytest.mark.parametrize("check", ONE_LINE)
@given(before=st.text(max_size=20), character=st.sampled_from(BREAKS), after=st.text(max_size=20))
def test_a_control_character_is_refused_in_every_field(
    check: Callable[[object], object], before: str, character: str, after: str
) -> None:
    """Field report 48."""
    with pytest.raises((Refused, InvalidMessage)):
        check(before + character + after)


@given(st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=255))
def test_every_other_text_is_kept_as_it_is(text: str) -> None:
    assert check_name(text) == text


@pytest.mark.parametrize("text", ["line\nline", "tab\t", "\x1b[0m", "😀", "x" * 1_000_000])
def test_a_body_may_hold_more_than_one_line(text: str) -> None:
    assert check_text(text) == text


@pytest.mark.parametrize("text", ["a\0b", "a\ud800b", b"bytes", None])
def test_a_body_is_what_the_database_can_hold(text: object) -> None:
    with pytest.raises(Refused):
        check_text(text)
