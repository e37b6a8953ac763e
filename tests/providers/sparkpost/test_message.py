"""The JSON that SparkPost is given."""

import json
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from app.transports.contract import Address, File, MetadataRefused, OutboundEmail
from app.transports.email.sparkpost.config import SparkpostConfig
from app.transports.email.sparkpost.message import write_message
from app.transports.email.unsendable import UnsendableEmail
from tests.providers.cases import request_of, the_receipt
from tests.providers.emails import an_email

CONFIG = SparkpostConfig(api_key="k")
ADA, BOB = Address("ada@example.com", "Ada"), Address("bob@example.com")
PNG = bytes.fromhex("89504e47")


def written(email: OutboundEmail, config: SparkpostConfig = CONFIG) -> dict[str, Any]:
    return json.loads(write_message(email, config))


def content(**changes: Any) -> dict[str, Any]:
    return written(an_email(**changes))["content"]


def test_a_rich_email_is_written_in_full() -> None:
    """As captured, but that it is transactional and has one receiver; metadata are texts."""
    captured = request_of("sparkpost")["body"]
    captured["recipients"] = captured["recipients"][:1]
    captured["metadata"]["attempt"] = "1"
    assert written(the_receipt()) == captured | {"options": {"transactional": True}}


def test_only_what_there_is_is_written() -> None:
    email = an_email(receiver=BOB, sender=Address("mail@example.com"))
    assert written(email) == {
        "options": {"transactional": True},
        "content": {
            "from": "mail@example.com",
            "subject": "Your receipt",
            "text": "Thank you for your order.",
        },
        "recipients": [{"address": {"email": "bob@example.com", "header_to": "bob@example.com"}}],
    }


@pytest.mark.parametrize(
    ("to", "cc", "shown"),
    [
        ((ADA, BOB), (), "Ada <ada@example.com>, bob@example.com"),
        ((), (), "Ada <ada@example.com>"),
        ((), (BOB,), None),
    ],
)
def test_to_shows_the_list_and_one_alone_gets_the_message(
    to: tuple[Address, ...], cc: tuple[Address, ...], shown: str | None
) -> None:
    [receiver] = written(an_email(receiver=ADA, to=to, cc=cc))["recipients"]
    assert receiver["address"].get("header_to") == shown
    assert receiver["address"]["email"] == "ada@example.com"


def test_texts_are_not_taken_for_templates() -> None:
    message = content(
        subject="{{a}}", text="{{ x", html="<style>a{b{}}</style>{{{c}}}", headers={"X-A": "{{"}
    )
    opening = "{{opening_double_curly()}}"
    assert message["subject"] == f"{opening}a}}}}"
    assert message["text"] == f"{opening} x"
    assert message["html"] == f"<style>a{{b{{}}}}</style>{opening}{{c}}}}}}"
    assert message["headers"]["X-A"] == opening


def test_the_sandbox_is_asked_for_where_it_is_configured() -> None:
    sandbox = SparkpostConfig(api_key="k", sandbox=True)
    assert written(an_email(), sandbox)["options"] == {"transactional": True, "sandbox": True}


def test_the_first_tag_is_the_one_that_sparkpost_gets() -> None:
    assert written(an_email(tags=("first", "second")))["campaign_id"] == "first"


def test_an_image_never_has_the_name_of_a_program() -> None:
    """Field report 52."""
    logo = File("logo.png", "image/png", PNG, "logo@mail.example.com")
    message = content(html='<img src="cid:logo@mail.example.com">', files=(logo,))
    assert message["inline_images"][0]["name"] == "image1.png"
    assert message["html"] == '<img src="cid:image1.png">'


def test_an_image_without_html_is_an_attachment() -> None:
    message = content(html="", files=(File("logo.png", "image/png", PNG, "logo@inline"),))
    assert [file["name"] for file in message["attachments"]] == ["logo.png"]
    assert "inline_images" not in message


def test_names_outside_ascii_are_encoded_in_headers() -> None:
    message = content(sender=Address("a@example.com", "Ünal"), cc=(Address("b@x.example", "Ö, Ü"),))
    assert message["from"] == "=?utf-8?b?w5xuYWw=?= <a@example.com>"
    assert message["headers"]["Cc"] == "=?utf-8?b?w5YsIMOc?= <b@x.example>"


def test_a_repeated_email_is_the_same_to_the_byte_in_another_attempt() -> None:
    email = the_receipt()
    again = replace(email, attempt_id=UUID(int=7), headers=dict(email.headers))
    assert write_message(email, CONFIG) == write_message(again, CONFIG)


def test_metadata_beyond_the_limit_is_refused_before_anything_is_sent() -> None:
    assert written(an_email(metadata={"a": "x" * 992}))["metadata"]
    with pytest.raises(MetadataRefused):
        written(an_email(metadata={"a": "x" * 993}))


@pytest.mark.parametrize(
    "changes",
    [
        {"receiver": Address("jürgen@example.com")},
        {"to": (Address("ada@example.com", "a\nb"),)},
        {"cc": (Address("x@example.com\r\nBcc: y@example.com"),)},
        {"sender": Address("no mailbox")},
        {"subject": "a\u2028b"},
        {"tags": ("a\nb",)},
        {"text": "half a pair \ud800"},
        {"headers": {"To": "x@example.com"}},
        {"metadata": {"a": "b\nc"}},
        {"files": (File("a.txt", "text", b""),)},
        {"files": (File("a\nb.txt", "text/plain", b""),)},
        {"files": (File("a.pdf", "application/pdf", b"", "doc"),)},
    ],
)
def test_what_can_not_be_written_is_unsendable(changes: dict[str, Any]) -> None:
    with pytest.raises(UnsendableEmail):
        written(the_receipt(**changes))
