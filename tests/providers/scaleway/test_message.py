"""The JSON that Scaleway is given."""

import json
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from app.transports.contract import Address, File, OutboundEmail
from app.transports.email.scaleway.config import ScalewayConfig
from app.transports.email.scaleway.message import write_message
from app.transports.email.unsendable import UnsendableEmail
from tests.providers.cases import request_of, the_receipt
from tests.providers.emails import an_email

CONFIG = ScalewayConfig(secret_key="k", project_id="proj-1")
RECEIPT = File("receipt.txt", 'text/plain; charset="utf-8"', b"total 12.50\n")


def written(email: OutboundEmail) -> dict[str, Any]:
    return json.loads(write_message(email, CONFIG))


def test_a_rich_email_is_written_in_full() -> None:
    """As captured, but for the other receivers; metadata are texts."""
    captured = request_of("scaleway")["body"]
    del captured["cc"], captured["bcc"]
    captured["to"] = captured["to"][:1]
    captured["additional_headers"][3]["value"] = '{"item_id": "81", "attempt": "1"}'
    assert written(the_receipt(files=(RECEIPT,))) == captured


def test_only_what_there_is_is_written() -> None:
    email = an_email(receiver=Address("ada@example.com"), sender=Address("mail@example.com"))
    assert written(email) == {
        "project_id": "proj-1",
        "from": {"email": "mail@example.com"},
        "to": [{"email": "ada@example.com"}],
        "subject": "Your receipt",
        "text": "Thank you for your order.",
    }


def test_headers_are_given_in_ascii() -> None:
    email = an_email(
        headers={"X-Note": "ü"},
        tags=("ä",),
        metadata={"a": "ö"},
        reply_to=(Address("a@example.com", "Ü"),),
    )
    headers = {one["key"]: one["value"] for one in written(email)["additional_headers"]}
    assert all(value.isascii() for value in headers.values())
    assert json.loads(headers["X-Tags"]) == ["ä"]
    assert json.loads(headers["X-Metadata"]) == {"a": "ö"}


def test_a_file_that_no_html_shows_is_an_attachment() -> None:
    logo = File("logo.png", "image/png", b"", "logo@unused")
    assert written(an_email(html="<p>", files=(logo,)))["attachments"][0]["name"] == "logo.png"


def test_a_repeated_email_is_the_same_to_the_byte_in_another_attempt() -> None:
    email = the_receipt(files=(RECEIPT,))
    again = replace(email, attempt_id=UUID(int=7), headers=dict(email.headers))
    assert write_message(email, CONFIG) == write_message(again, CONFIG)


@pytest.mark.parametrize(
    "changes",
    [
        {"files": (File("logo.png", "image/png", b"", "logo@inline"),)},
        {"receiver": Address("jürgen@example.com")},
        {"cc": (Address("x@example.com\r\nBcc: y@example.com"),)},
        {"sender": Address("no mailbox")},
        {"subject": "a\u2028b"},
        {"tags": ("a\nb",)},
        {"text": "half a pair \ud800"},
        {"headers": {"X-Metadata": "{}"}},
        {"headers": {"x-tags": "[]"}},
        {"files": (File("a.txt", "text", b""),)},
        {"files": (File("a\nb.txt", "text/plain", b""),)},
    ],
)
def test_what_can_not_be_written_is_unsendable(changes: dict[str, Any]) -> None:
    with pytest.raises(UnsendableEmail):
        written(the_receipt(**({"files": ()} | changes)))
