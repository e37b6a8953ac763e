"""The JSON that Unisender Go is given."""

import json
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from app.transports.contract import Address, File, OutboundEmail
from app.transports.email.unisender_go.message import write_message
from app.transports.email.unsendable import UnsendableEmail
from tests.providers.cases import request_of, the_receipt
from tests.providers.emails import an_email

HELP = Address("help@example.com", "Help")
ADA, BOB = Address("ada@example.com", "Ada"), Address("bob@example.com")
PNG = bytes.fromhex("89504e47")


def written(email: OutboundEmail) -> dict[str, Any]:
    return json.loads(write_message(email))["message"]


def test_a_rich_email_is_written_in_full() -> None:
    """As captured, but for the other receivers and an id that only others need."""
    captured = request_of("unisender_go")["body"]["message"]
    captured["recipients"] = captured["recipients"][:1]
    del captured["recipients"][0]["metadata"]
    captured["global_metadata"]["attempt"] = "1"
    assert written(the_receipt(reply_to=(HELP,))) == captured


def test_only_what_there_is_is_written() -> None:
    email = an_email(receiver=BOB, to=(), sender=Address("mail@example.com"))
    assert written(email) == {
        "recipients": [{"email": "bob@example.com"}],
        "from_email": "mail@example.com",
        "subject": "Your receipt",
        "body": {"plaintext": "Thank you for your order."},
    }


@pytest.mark.parametrize(
    ("to", "cc", "shown"),
    [
        ((ADA, BOB), (), {"to": "Ada <ada@example.com>, bob@example.com"}),
        ((), (), {}),
        ((), (BOB,), {"to": "Ada <ada@example.com>", "cc": "bob@example.com"}),
    ],
)
def test_to_shows_the_list_and_one_alone_gets_the_message(
    to: tuple[Address, ...], cc: tuple[Address, ...], shown: dict[str, str]
) -> None:
    message = written(an_email(receiver=ADA, to=to, cc=cc))
    assert message.get("headers", {}) == shown
    assert [one["email"] for one in message["recipients"]] == ["ada@example.com"]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ada", "Ada"),
        ("Shop, Inc.", "=?utf-8?q?Shop=2C_Inc=2E?="),
        ("Ünal", "=?utf-8?b?w5xuYWw=?="),
        ("Ü, Ç", "=?utf-8?b?w5wsIMOH?="),
    ],
)
def test_a_name_that_would_be_refused_is_encoded(name: str, shown: str) -> None:
    headers = written(an_email(to=(Address("a@example.com", name),)))["headers"]
    assert headers["to"] == f"{shown} <a@example.com>"


def test_an_image_never_has_the_name_of_a_program() -> None:
    """Field report 52."""
    logo = File("logo.png", "image/png", PNG, "logo@mail.example.com")
    message = written(an_email(html='<img src="cid:logo@mail.example.com">', files=(logo,)))
    assert message["inline_attachments"][0]["name"] == "image1.png"
    assert message["body"]["html"] == '<img src="cid:image1.png">'


@pytest.mark.parametrize("field", ["subject", "text", "html"])
def test_texts_are_not_taken_for_templates(field: str) -> None:
    assert written(an_email(**{field: "a {{b}}"}))["template_engine"] == "none"
    assert "template_engine" not in written(an_email(**{field: "a {b}}"}))


def test_names_of_files_have_no_slash() -> None:
    message = written(an_email(files=(File("a/b.txt", "text/plain", b""),)))
    assert message["attachments"][0]["name"] == "a_b.txt"


def test_a_repeated_email_is_the_same_to_the_byte_in_another_attempt() -> None:
    email = the_receipt(reply_to=())
    again = replace(email, attempt_id=UUID(int=7), headers=dict(email.headers))
    assert write_message(email) == write_message(again)


@pytest.mark.parametrize(
    "changes",
    [
        {"reply_to": (HELP, BOB)},
        {"reply_to": (Address("a@example.com", "a\nb"),)},
        {"metadata": {"anymail_id": "1"}},
        {"metadata": {"a": "b\nc"}},
        {"receiver": Address("jürgen@example.com")},
        {"to": (Address("ada@example.com", "a,\nb"),)},
        {"cc": (Address("x@example.com\r\nBcc: y@example.com"),)},
        {"sender": Address("no mailbox")},
        {"subject": "a\u2028b"},
        {"tags": ("a\nb",)},
        {"text": "half a pair \ud800"},
        {"headers": {"Cc": "x@example.com"}},
        {"files": (File("a.txt", "text", b""),)},
        {"files": (File("a.pdf", "application/pdf", b"", "doc"),)},
    ],
)
def test_what_can_not_be_written_is_unsendable(changes: dict[str, Any]) -> None:
    with pytest.raises(UnsendableEmail):
        written(the_receipt(**({"reply_to": ()} | changes)))
