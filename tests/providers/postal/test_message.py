"""What Postal is given: a whole message, and whom it is for."""

import base64
import json
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any, cast
from uuid import UUID

import pytest

from app.transports.contract import Address, MetadataRefused, OutboundEmail
from app.transports.email.postal.config import PostalConfig
from app.transports.email.postal.message import write_message
from app.transports.email.unsendable import UnsendableEmail
from tests.providers.cases import request_of, the_receipt
from tests.providers.emails import an_email

CONFIG = PostalConfig(api_key="k", base_url="https://postal.example.com")
ITEM = UUID("0199a000-0000-7000-8000-000000000081")


def written(email: OutboundEmail, config: PostalConfig = CONFIG) -> tuple[Any, EmailMessage]:
    request = json.loads(write_message(email, config))
    raw = base64.b64decode(request["data"])
    return request, cast("EmailMessage", message_from_bytes(raw, policy=policy.default))


def receipt(**changes: Any) -> OutboundEmail:
    return the_receipt(**({"metadata": {}} | changes))


def test_the_message_says_all_that_the_captured_request_says() -> None:
    captured = request_of("postal")["body"]
    request, letter = written(receipt())
    assert request["rcpt_to"] == ["ada@example.com"]
    assert request["mail_from"] == "mail@example.com"
    assert letter["From"] == captured["from"]
    assert letter["To"] == "Ada Lovelace <ada@example.com>, bob@example.com"
    assert letter["Cc"] == captured["cc"][0]
    assert letter["Subject"] == captured["subject"]
    assert letter["X-Postal-Tag"] == captured["tag"]
    for name, value in captured["headers"].items():
        assert letter[name] == value


def test_the_bodies_and_files_are_in_it() -> None:
    _, letter = written(receipt())
    [image] = [part for part in letter.walk() if part.get_content_type() == "image/png"]
    assert image["Content-ID"] == "<logo@inline>"
    assert body_of(letter, "plain") == "Thanks, the text part."
    assert "cid:logo@inline" in body_of(letter, "html")
    [attached] = letter.iter_attachments()
    assert attached.get_filename() == "receipt.txt"


def body_of(letter: EmailMessage, kind: str) -> str:
    body = letter.get_body((kind,))
    return str(body.get_content()).strip() if body is not None else ""


def test_several_addresses_get_the_replies() -> None:
    assert written(receipt())[1]["Reply-To"] == "Help <help@example.com>, ops@example.com"


@pytest.mark.parametrize(
    ("domain", "right"), [("", "example.com"), ("mail.example.org", "mail.example.org")]
)
def test_the_message_id_names_the_item(domain: str, right: str) -> None:
    config = replace(CONFIG, message_id_domain=domain)
    letter = written(receipt(item_id=ITEM), config)[1]
    assert letter["Message-ID"] == f"<item-{ITEM}@{right}>"


def test_without_tags_there_is_no_field_for_them() -> None:
    assert "X-Postal-Tag" not in written(an_email())[1]


def test_a_repeated_email_is_the_same_to_the_byte_in_another_attempt() -> None:
    email = receipt()
    again = replace(email, attempt_id=UUID(int=7), headers=dict(email.headers))
    assert write_message(email, CONFIG) == write_message(again, CONFIG)


def test_metadata_are_refused_before_anything_is_sent() -> None:
    with pytest.raises(MetadataRefused):
        written(receipt(metadata={"vdq_queue_item": "81"}))


@pytest.mark.parametrize(
    "changes",
    [
        {"receiver": Address("jürgen@example.com")},
        {"to": (Address("jürgen@example.com"),)},
        {"sender": Address("jürgen@example.com")},
        {"sender": Address("no mailbox")},
        {"subject": "a\u2028b"},
        {"tags": ("a\nb",)},
        {"text": "half a pair \ud800"},
        {"headers": {"Message-ID": "<x@example.com>"}},
    ],
)
def test_what_can_not_be_written_is_unsendable(changes: dict[str, Any]) -> None:
    with pytest.raises(UnsendableEmail):
        written(receipt(**changes))
