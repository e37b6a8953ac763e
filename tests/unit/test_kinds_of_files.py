"""What a file is sent as, by its content and its name."""

import io
import zipfile

import pytest

from app.items.file_types import check_type, detect_type
from app.items.refusals import Refused

PNG = b"\x89PNG\r\n\x1a\n" + bytes(40)


def archive() -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as file:
        file.writestr("a.txt", "text")
    return content.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("invoice.pdf", b"%PDF-1.7 ...", "application/pdf"),
        ("no ending", b"%PDF-1.7 ...", "application/pdf"),
        ("picture.pdf", PNG, "image/png"),
        ("numbers.csv", b"a,b\n1,2\n", "text/csv"),
        ("letter.txt", b"BM is short for many things", "text/plain"),
        ("archive.zip", archive(), "application/zip"),
        (
            "sheet.xlsx",
            archive(),
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        ),
        ("logo.svg", b"<?xml version='1.0'?><svg/>", "image/svg+xml"),
        ("meeting.ics", b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n", "text/calendar"),
        ("empty.txt", b"", "text/plain"),
        ("unknown", b"some bytes", "application/octet-stream"),
        ("empty", b"", "application/octet-stream"),
    ],
)
def test_a_file_is_what_its_content_clearly_is_else_what_its_name_says(
    name: str, content: bytes, kind: str
) -> None:
    assert detect_type(name, content) == kind


def test_a_type_may_be_named() -> None:
    assert check_type("text/csv; charset=utf-8") == "text/csv; charset=utf-8"


@pytest.mark.parametrize("kind", ["png", "image/", "image/png\r\nX: y", "", 7])
def test_what_is_no_type_is_refused(kind: object) -> None:
    with pytest.raises(Refused):
        check_type(kind)
