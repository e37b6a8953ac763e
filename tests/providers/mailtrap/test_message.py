"""How an email is written for Mailtrap."""

import json
from typing import Any

import pytest

from app.transports.contract import Address, File, MetadataRefused
from app.transports.email.mailtrap.message import write_message
from app.transports.email.unsendable import UnsendableEmail
from tests.providers.cases import request_of, the_receipt
from tests.providers.emails import an_email


def written(**changes: Any) -> dict[str, Any]:
    return json.loads(write_message(an_email(**changes)))


def test_a_message_is_written_as_mailtrap_wants_it() -> None:
    """As captured, but for the others in To, Cc and Bcc, who would get copies."""
    captured = request_of("mailtrap")["body"]
    del captured["cc"], captured["bcc"]
    captured["to"] = captured["to"][:1]

    assert json.loads(write_message(the_receipt())) == captured


def test_several_reply_to_addresses_are_one_ascii_header() -> None:
    reply_to = (Address("a@example.com", "Ünal, A"), Address("b@example.com", "B, C"))
    header = written(reply_to=reply_to)["headers"]["Reply-To"]
    assert header.isascii()
    assert header.endswith('<a@example.com>, "B, C" <b@example.com>')


def test_a_file_has_a_name_in_ascii() -> None:
    [file] = written(files=(File("Übersicht.pdf", "application/pdf", b"x"),))["attachments"]
    assert file["filename"] == "Ubersicht.pdf"


def test_metadata_beyond_the_limit_is_refused() -> None:
    with pytest.raises(MetadataRefused):
        written(metadata={"a": "x" * 1_000})


@pytest.mark.parametrize(
    "changes",
    [
        {"text": "", "html": ""},
        {"text": "\ud800"},
        {"tags": ("a\nb",)},
        {"reply_to": (Address("ü@example.com"),)},
        {"reply_to": (Address("a@example.com", "Ü\nb"),)},
    ],
)
def test_what_cannot_be_written_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(UnsendableEmail):
        written(**changes)
