"""Header fields of the caller's choice."""

import pytest

from app.items.headers import check_headers
from app.items.refusals import InvalidMessage, Problems


def accept(headers: object) -> dict[str, str]:
    problems = Problems()
    accepted = check_headers(headers, problems)
    problems.raise_if_any()
    return accepted


def refuse(headers: object) -> dict[str, list[str]]:
    with pytest.raises(InvalidMessage) as refusal:
        accept(headers)
    return refusal.value.errors


def test_headers_that_say_how_to_unsubscribe_are_kept() -> None:
    headers = {
        "List-Unsubscribe": "<https://example.com/u?t=" + "x" * 600 + ">, <mailto:u@example.com>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "In-Reply-To": "<1@example.com>",
        "X-Order": "Grüße",
    }
    assert accept(headers) == headers
    assert accept(None) == {}


@pytest.mark.parametrize(
    "name",
    [
        *("From", "To", "Cc", "Bcc", "Reply-To", "Sender", "Subject", "Date", "Message-ID"),
        *("Return-Path", "Received", "DKIM-Signature", "MIME-Version", "Content-Type"),
        *("Content-Transfer-Encoding", "X-Metadata", "X-Mailgun-Variables", "ARC-Seal"),
        *(
            "Resent-To",
            "X-PM-Metadata-order",
            "X-SMTPAPI",
            "X-MC-BccAddress",
            "X-Mailgun-Recipient-Variables",
        ),
    ],
)
@pytest.mark.parametrize("form", [str, str.lower, str.upper])
def test_headers_that_others_write_are_refused(name: str, form: type[str]) -> None:
    shown = form(name)
    assert "May not be set" in refuse({shown: "x"})[f"headers.{shown}"][0]


@pytest.mark.parametrize("name", ["", "X Y", "X:Y", "X\r\nBcc", "Ä", "x" * 77, 7, None])
def test_a_name_that_is_no_header_name_is_shown_by_its_place(name: object) -> None:
    assert "header name" in refuse({"X-Good": "x", name: "x"})["headers.1"][0]


@pytest.mark.parametrize(
    ("value", "words"),
    [("x" * 901, "900"), ("x y" * 3000, "8000"), (7, "text"), (None, "text")],
)
def test_a_value_that_no_line_can_hold_is_refused(value: object, words: str) -> None:
    assert words in refuse({"X-Any": value})["headers.X-Any"][0]


def test_a_header_is_given_once_whatever_its_case() -> None:
    assert refuse({"X-Any": "a", "x-any": "b"}) == {"headers.x-any": ["Is given twice."]}


@pytest.mark.parametrize("headers", [["X-Any: b"], "X-Any: b", {f"X-{n}": "" for n in range(51)}])
def test_headers_come_as_a_mapping_of_at_most_fifty(headers: object) -> None:
    assert list(refuse(headers)) == ["headers"]
