"""Arguments of the sending commands."""

import io
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.commands import given
from app.commands.answers import BadInput, name_option, plain, shorten
from app.items import Inline


@pytest.mark.parametrize(
    ("text", "person"),
    [
        ("anna@example.com", {"email": "anna@example.com"}),
        ("Anna <anna@example.com>", {"name": "Anna", "email": "anna@example.com"}),
        ('"Anna, B." <anna@example.com>', {"name": "Anna, B.", "email": "anna@example.com"}),
        ("<anna@example.com>", {"name": "", "email": "anna@example.com"}),
        (None, {"email": ""}),
    ],
)
def test_a_person_is_an_address_with_or_without_a_name(
    text: str | None, person: dict[str, str]
) -> None:
    assert given.read_person(text, "email") == person


def test_a_hyphen_stands_for_stdin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("piped\ntext"))
    assert given.read_text("-") == "piped\ntext"
    assert given.read_text("typed") == "typed"


def test_a_time_is_iso_8601() -> None:
    assert given.read_time("--send-at", "2026-05-01T09:00:00Z") == datetime(
        2026, 5, 1, 9, tzinfo=UTC
    )
    with pytest.raises(BadInput, match="--send-at must be a time"):
        given.read_time("--send-at", "tomorrow")


def test_files_are_named_as_on_disk() -> None:
    assert given.read_files(["a/invoice.pdf"], ["logo=b/logo.png"]) == {
        "invoice.pdf": Path("a/invoice.pdf"),
        "logo.png": Inline(Path("b/logo.png"), "logo"),
    }


@pytest.mark.parametrize(
    ("attached", "inline", "words"),
    [
        (["a/x.pdf", "b/x.pdf"], [], "same name"),
        (["x.png"], ["logo=x.png"], "same name"),
        ([], ["x.png"], "content-id=path"),
        ([], ["logo="], "content-id=path"),
    ],
)
def test_files_that_can_not_be_told_apart_are_refused(
    attached: list[str], inline: list[str], words: str
) -> None:
    with pytest.raises(BadInput, match=words):
        given.read_files(attached, inline)


def test_a_header_is_a_name_and_a_value() -> None:
    assert given.read_headers(["X-Order: a:b"]) == {"X-Order": "a:b"}
    with pytest.raises(BadInput, match="--header"):
        given.read_headers(["X-Order"])


@pytest.mark.parametrize(
    ("field", "option"),
    [
        ("sender.email", "--from"),
        ("to.1.email", "--to no. 2"),
        ("to", "--to"),
        ("reply_to.0", "--reply-to no. 1"),
        ("headers.X-Order", "--headers X-Order"),
        ("attachments.a.b.pdf", "--attach a.b.pdf"),
        ("attachments.0", "--attach no. 1"),
        ("send_at", "--send-at"),
    ],
)
def test_a_refusal_names_the_option(field: str, option: str) -> None:
    assert name_option(field, {"sender": "--from", "attachments": "--attach"}) == option


def test_text_from_outside_can_not_drive_the_terminal() -> None:
    assert plain("a\x1b[31m\nb") == "a�[31m�b"
    assert shorten("x" * 70, 60) == "x" * 59 + "…"
    assert shorten(None, 60) == ""
