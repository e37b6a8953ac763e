"""How an email is written for Resend."""

import json
from typing import Any

import pytest

from app.transports.contract import Address, File
from app.transports.email.resend.message import write_message
from app.transports.email.unsendable import UnsendableEmail
from tests.providers.cases import request_of, the_receipt
from tests.providers.emails import an_email


def written(**changes: Any) -> dict[str, Any]:
    return json.loads(write_message(an_email(**changes)))


def test_a_message_is_written_as_resend_wants_it() -> None:
    """As captured, but for the others in To, Cc and Bcc, who would get copies."""
    captured = request_of("resend")["body"]
    del captured["cc"], captured["bcc"]
    captured["to"] = captured["to"][:1]
    captured["headers"]["X-Metadata"] = '{"item_id": "81", "attempt": "1"}'
    captured["tags"] = [
        {"name": "item_id", "value": "81"},
        {"name": "attempt", "value": "1"},
    ]

    assert json.loads(write_message(the_receipt())) == captured


def test_nothing_empty_is_written_but_the_subject() -> None:
    message = written(subject="", text="x", reply_to=(), headers={}, tags=(), files=())
    assert set(message) == {"from", "to", "subject", "text"}


def test_metadata_that_is_no_tag_travels_in_the_header_alone() -> None:
    message = written(metadata={"key": "ü ", "vdq_attempt": "1-a"})
    assert json.loads(message["headers"]["X-Metadata"]) == {"key": "ü ", "vdq_attempt": "1-a"}
    assert message["headers"]["X-Metadata"].isascii()
    assert message["tags"] == [{"name": "vdq_attempt", "value": "1-a"}]


@pytest.mark.parametrize(
    ("name", "kind", "sent_name", "sent_type"),
    [
        ("a.pdf", "application/pdf", "a.pdf", "application/pdf"),
        ("a.txt", "text/plain; charset=utf-8", "a.txt", "text/plain; charset=utf-8"),
        ("invoice", "application/pdf", "invoice.pdf", "application/pdf"),
        ("a.png", "application/pdf", "a.png", None),
        ("a.unheard", "application/x-unheard", "a.unheard", None),
        ("", "image/png", "file.png", "image/png"),
    ],
)
def test_a_file_has_a_name_that_fits_its_type(
    name: str, kind: str, sent_name: str, sent_type: str | None
) -> None:
    [file] = written(files=(File(name, kind, b"x"),))["attachments"]
    assert (file["filename"], file.get("content_type")) == (sent_name, sent_type)


def test_an_image_is_inline_only_beside_html() -> None:
    files = (File("a.png", "image/png", b"x", "logo"),)
    [beside] = written(files=files, html="<img src='cid:logo'>")["attachments"]
    [alone] = written(files=files, html="")["attachments"]
    assert beside["content_id"] == "logo"
    assert "content_id" not in alone


@pytest.mark.parametrize(
    "changes",
    [
        {"headers": {"X-Metadata": "x"}},
        {"headers": {"x-tags": "x"}},
        {"sender": Address("ü@example.com")},
        {"tags": ("a\nb",)},
        {"text": "\ud800"},
        {"files": (File("a", "image/png", b"", "a b"),), "html": "x"},
    ],
)
def test_what_cannot_be_written_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(UnsendableEmail):
        written(**changes)
