"""How an email is written for Mailgun."""

from typing import Any

import pytest

from app.transports.contract import File, MetadataRefused, OutboundEmail
from app.transports.email.mailgun.config import MailgunConfig
from app.transports.email.mailgun.message import write_message
from app.transports.email.unsendable import UnsendableEmail
from tests.fakes.mailgun import Field, fields_of, texts_of
from tests.providers.cases import request_of, the_receipt
from tests.providers.emails import an_email

CONFIG = MailgunConfig(api_key="k", domain="mg.example.com")


def written(email: OutboundEmail) -> list[Field]:
    return fields_of(write_message(email, CONFIG))


def test_a_message_is_written_as_mailgun_wants_it() -> None:
    """As captured, but for the others in To, Cc and Bcc, who would get copies."""
    others = {"bob@example.com", "cy@example.com", "dee@example.com"}
    captured = [
        (one["name"], one["filename"], one["content_type"], one["value"])
        for one in request_of("mailgun")["body"]
        if one["value"] not in others
    ]
    sent = [
        (name, file, kind, content.decode("utf-8", "replace"))
        for name, file, kind, content in written(the_receipt())
    ]
    assert [one[:3] for one in sent] == [one[:3] for one in captured]
    assert [one[3] for one in sent[:-1]] == [one[3] for one in captured[:-1]]


def test_files_arrive_to_the_byte() -> None:
    content = bytes(range(256)) * 10 + b"\r\n--\r\n"
    [*_, (name, file, kind, arrived)] = written(
        an_email(files=(File('ü "1".bin', "application/x-thing", content),))
    )
    assert (name, kind, arrived) == ("attachment", "application/x-thing", content)
    assert file


def test_an_image_is_inline_only_beside_html_and_is_called_by_its_content_id() -> None:
    files = (File("a.png", "image/png", b"x", "logo@inline"),)
    [*_, beside] = written(an_email(files=files, html="<img src='cid:logo@inline'>"))
    [*_, alone] = written(an_email(files=files))
    assert beside[:2] == ("inline", "logo@inline")
    assert alone[:2] == ("attachment", "a.png")


def test_an_image_never_has_the_name_of_a_program() -> None:
    """Field report 52."""
    logo = File("logo.png", "image/png", b"x", "logo@mail.example.com")
    html = '<img src="cid:logo@mail.example.com">'
    body = write_message(an_email(html=html, files=(logo,)), CONFIG)
    [*_, (name, file, *_)] = fields_of(body)
    assert (name, file) == ("inline", "image1.png")
    assert texts_of(body, "html") == ['<img src="cid:image1.png">']


def test_ten_tags_are_sent_each_once() -> None:
    tags = ("a", "a", *(str(n) for n in range(20)))
    body = write_message(an_email(tags=tags), CONFIG)
    assert texts_of(body, "o:tag") == ["a", *(str(n) for n in range(9))]


def test_test_mode_is_asked_for_where_it_is_configured() -> None:
    config = MailgunConfig(api_key="k", domain="mg.example.com", sandbox=True)
    assert texts_of(write_message(an_email(), config), "o:testmode") == ["yes"]
    assert texts_of(write_message(an_email(), CONFIG), "o:testmode") == []


def test_metadata_beyond_the_limit_is_refused() -> None:
    with pytest.raises(MetadataRefused):
        written(an_email(metadata={"a": "x" * 16_001}))


@pytest.mark.parametrize(
    "changes",
    [
        {"text": "", "html": ""},
        {"headers": {"X-Mailgun-Variables": "{}"}},
        {"text": "\ud800"},
        {"metadata": {"a\r\nb": "x"}},
        {"tags": ("a\nb",)},
    ],
)
def test_what_cannot_be_written_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(UnsendableEmail):
        written(an_email(**changes))
