"""The JSON that Mandrill is given."""

import json
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from app.transports.contract import Address, File, OutboundEmail
from app.transports.email.mandrill.config import MandrillConfig
from app.transports.email.mandrill.message import write_message
from app.transports.email.unsendable import UnsendableEmail
from tests.providers.cases import request_of, the_receipt
from tests.providers.emails import an_email

CONFIG = MandrillConfig(api_key="KEY")
PNG = bytes.fromhex("89504e47")


def written(email: OutboundEmail, config: MandrillConfig = CONFIG) -> dict[str, Any]:
    return json.loads(write_message(email, config))["message"]


def test_a_rich_email_is_written_in_full() -> None:
    """As captured, but for the other receivers; metadata are texts."""
    captured = request_of("mandrill")["body"]["message"]
    captured["to"] = captured["to"][:1]
    captured["metadata"]["attempt"] = "1"
    assert written(the_receipt()) == captured


def test_the_key_stands_in_the_body() -> None:
    assert json.loads(write_message(an_email(), CONFIG))["key"] == "KEY"


def test_only_what_there_is_is_written() -> None:
    email = an_email(receiver=Address("ada@example.com"), sender=Address("mail@example.com"))
    assert written(email) == {
        "from_email": "mail@example.com",
        "to": [{"email": "ada@example.com", "type": "to"}],
        "subject": "Your receipt",
        "text": "Thank you for your order.",
    }


def test_a_subaccount_is_named_if_it_is_configured() -> None:
    config = MandrillConfig(api_key="k", subaccount="shop")
    assert written(an_email(), config)["subaccount"] == "shop"


@pytest.mark.parametrize("shown", ["logo@mail.example.com", "logo%40mail.example.com"])
def test_an_image_never_has_the_name_of_a_program(shown: str) -> None:
    """Field report 52."""
    logo = File("logo.png", "image/png", PNG, "logo@mail.example.com")
    message = written(an_email(html=f'<img src="cid:{shown}">', files=(logo,)))
    assert message["images"][0]["name"] == "image1.png"
    assert message["html"] == '<img src="cid:image1.png">'


def test_images_whose_names_begin_alike_are_told_apart() -> None:
    files = tuple(File("x.png", "image/png", PNG, cid) for cid in ("a.b", "a.b.c", "plain"))
    message = written(an_email(html="cid:a.b cid:a.b.c cid:a.b.d 'cid:plain'", files=files))
    assert message["html"] == "cid:image1.png cid:image2.png cid:a.b.d 'cid:plain'"


def test_an_image_without_html_is_an_attachment() -> None:
    logo = File("logo.png", "image/png", PNG, "logo@inline")
    message = written(an_email(html="", files=(logo,)))
    assert [file["name"] for file in message["attachments"]] == ["logo.png"]
    assert "images" not in message


def test_names_outside_ascii_are_encoded_in_headers() -> None:
    reply_to = (Address("a@example.com", "Ünal, Ç"), Address("b@example.com", "Shop, Inc."))
    headers = written(an_email(reply_to=reply_to, headers={"X-Note": "ü"}))["headers"]
    assert headers == {
        "Reply-To": '=?utf-8?b?w5xuYWwsIMOH?= <a@example.com>, "Shop, Inc." <b@example.com>',
        "X-Note": "=?utf-8?b?w7w=?=",
    }


def test_a_repeated_email_is_the_same_to_the_byte_in_another_attempt() -> None:
    email = the_receipt()
    again = replace(email, attempt_id=UUID(int=7), headers=dict(email.headers))
    assert write_message(email, CONFIG) == write_message(again, CONFIG)


@pytest.mark.parametrize(
    "changes",
    [
        {"receiver": Address("jürgen@example.com")},
        {"receiver": Address("ada@example.com", "a\nb")},
        {"sender": Address("no mailbox")},
        {"cc": (Address("x@example.com\r\nBcc: y@example.com"),)},
        {"subject": "a\u2028b"},
        {"tags": ("_reserved",)},
        {"tags": ("x" * 51,)},
        {"tags": ("a\nb",)},
        {"text": "half a pair \ud800"},
        {"headers": {"Reply-To": "x@example.com"}},
        {"files": (File("a.txt", "text", b""),)},
        {"files": (File("a.svg", "application/pdf", b"", "doc"),)},
        {"files": (File("a.png", "image/png", b"", "a b"),)},
    ],
)
def test_what_can_not_be_written_is_unsendable(changes: dict[str, Any]) -> None:
    with pytest.raises(UnsendableEmail):
        written(the_receipt(**changes))
