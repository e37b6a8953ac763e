"""The JSON that Brevo is given."""

import json
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from app.transports.contract import Address, File
from app.transports.email.brevo.config import BrevoConfig
from app.transports.email.brevo.message import write_message
from app.transports.email.unsendable import UnsendableEmail
from tests.providers.cases import request_of, the_receipt
from tests.providers.emails import an_email

HELP = Address("help@example.com", "Help")
RECEIPT = File("receipt.txt", 'text/plain; charset="utf-8"', b"total 12.50\n")
KEY = UUID("0199a000-0000-7000-8000-000000000082")


def written(email: Any, **settings: Any) -> dict[str, Any]:
    return json.loads(write_message(email, BrevoConfig(api_key="k", **settings)))


def test_a_rich_email_is_written_in_full() -> None:
    """As captured, but for the other receivers and for spaces in the metadata."""
    email = the_receipt(reply_to=(HELP,), files=(RECEIPT,), provider_key=KEY)
    message = written(email)
    assert json.loads(message["headers"].pop("X-Mailin-custom")) == email.metadata
    assert message["headers"].pop("idempotencyKey") == str(KEY)
    captured = request_of("brevo")["body"]
    del captured["headers"]["X-Mailin-custom"], captured["cc"], captured["bcc"]
    assert message == captured | {"to": captured["to"][:1]}


def test_only_what_there_is_is_written() -> None:
    email = an_email(receiver=Address("ada@example.com"), sender=Address("mail@example.com"))
    assert written(email) == {
        "headers": {"idempotencyKey": str(email.provider_key)},
        "sender": {"email": "mail@example.com"},
        "to": [{"email": "ada@example.com"}],
        "subject": "Your receipt",
        "textContent": "Thank you for your order.",
        "htmlContent": '<div style="white-space: pre-wrap">Thank you for your order.</div>',
    }


def test_text_alone_is_given_as_html_too() -> None:
    message = written(an_email(text='1 < 2 & "x"\n  y'))
    assert message["htmlContent"].endswith(">1 &lt; 2 &amp; &quot;x&quot;\n  y</div>")
    assert message["textContent"] == '1 < 2 & "x"\n  y'


def test_the_sandbox_is_asked_for_where_it_is_configured() -> None:
    assert written(an_email(), sandbox=True)["headers"]["X-Sib-Sandbox"] == "drop"
    assert "X-Sib-Sandbox" not in written(an_email())["headers"]


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("Ünal", "Ünal"),
        ("Shop, Inc.", "Shop, Inc."),
        ("Ünal, Inc.", "=?utf-8?b?w5xuYWwsIEluYy4=?="),
    ],
)
def test_a_name_that_brevo_would_drop_is_encoded(name: str, given: str) -> None:
    assert written(an_email(sender=Address("a@example.com", name)))["sender"]["name"] == given


def test_headers_are_given_in_ascii() -> None:
    headers = written(an_email(headers={"X-Note": "für dich " * 20}))["headers"]
    assert headers["X-Note"].isascii()
    assert "\n" not in headers["X-Note"]


@pytest.mark.parametrize(
    ("file", "name"),
    [
        (File("Rechnung März.pdf", "application/pdf", b""), "Rechnung Marz.pdf"),
        (File("収.pdf", "application/pdf", b""), "_.pdf"),
        (File("", "application/pdf", b""), "file.pdf"),
        (File("logo.png", "image/png", b"", "logo@unused"), "logo.png"),
    ],
)
def test_files_have_names_that_brevo_can_write(file: File, name: str) -> None:
    [attached] = written(an_email(files=(file,), html="<p>"))["attachment"]
    assert attached["name"] == name


def test_domains_are_encoded_by_idna_2008() -> None:
    """Field report 49."""
    assert written(an_email(receiver=Address("a@faß.de")))["to"] == [{"email": "a@xn--fa-hia.de"}]


def test_a_repeated_email_is_the_same_to_the_byte_in_another_attempt() -> None:
    config, email = BrevoConfig(api_key="k"), the_receipt(reply_to=(), files=(RECEIPT,))
    again = replace(email, attempt_id=UUID(int=7), headers=dict(email.headers))
    assert write_message(email, config) == write_message(again, config)


@pytest.mark.parametrize(
    "changes",
    [
        {"reply_to": (HELP, Address("ops@example.com"))},
        {"files": (File("logo.png", "image/png", b"", "logo@inline"),)},
        {"receiver": Address("jürgen@example.com")},
        {"receiver": Address("a@example.com, b@example.com")},
        {"cc": (Address("x@example.com\r\nBcc: y@example.com"),)},
        {"subject": "a\u2028b"},
        {"tags": ("a\nb",)},
        {"text": "half a pair \ud800"},
        {"headers": {"x-mailin-custom": "{}"}},
        {"headers": {"IdempotencyKey": "1"}},
        {"headers": {"X-Note": "a\nb"}},
        {"files": (File("a\nb.txt", "text/plain", b""),)},
        {"files": (File("a.txt", "text", b""),)},
    ],
)
def test_what_can_not_be_written_is_unsendable(changes: dict[str, Any]) -> None:
    with pytest.raises(UnsendableEmail):
        written(the_receipt(**({"reply_to": (), "files": ()} | changes)))
