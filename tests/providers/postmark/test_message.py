"""The JSON that Postmark is given."""

import json
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from app.transports.contract import Address, File, MetadataRefused, OutboundEmail
from app.transports.email.postmark.config import PostmarkConfig
from app.transports.email.postmark.message import write_message
from app.transports.email.unsendable import UnsendableEmail
from tests.providers.emails import an_email

PNG = bytes.fromhex("89504e470d0a1a0a0000000d49484452")
LOGO = File("logo.png", "image/png", PNG, "logo@inline")
ITEM = UUID("0199a000-0000-7000-8000-000000000081")


def written(email: OutboundEmail, **settings: Any) -> dict[str, Any]:
    config = PostmarkConfig(server_token="t", **settings)
    return json.loads(write_message(email, config))


def rich_email(**changes: Any) -> OutboundEmail:
    given = {
        "item_id": ITEM,
        "sender": Address("mail@example.com", "Pillarbox, Inc."),
        "receiver": Address("ada@example.com", "Ada Lovelace"),
        "to": (Address("ada@example.com", "Ada Lovelace"), Address("bob@example.com")),
        "cc": (Address("cy@example.com"),),
        "reply_to": (Address("help@example.com", "Help"), Address("ops@example.com")),
        "subject": "Your receipt nr 81",
        "text": "Thanks, the text part.",
        "html": '<p>Thanks. <img src="cid:logo@inline"></p>',
        "headers": {"X-Pillarbox-Item": "81", "List-Unsubscribe": "<https://example.com/u/81>"},
        "tags": ("receipts",),
        "files": (File("receipt.txt", 'text/plain; charset="utf-8"', b"total 12.50\n"), LOGO),
        "metadata": {"item_id": "81", "attempt": "1"},
    }
    return an_email(**(given | changes))


def test_a_rich_email_is_written_in_full() -> None:
    assert written(rich_email()) == {
        "From": '"Pillarbox, Inc." <mail@example.com>',
        "To": "Ada Lovelace <ada@example.com>",
        "Subject": "Your receipt nr 81",
        "ReplyTo": "Help <help@example.com>, ops@example.com",
        "Headers": [
            {"Name": "X-Pillarbox-Item", "Value": "81"},
            {"Name": "List-Unsubscribe", "Value": "<https://example.com/u/81>"},
        ],
        "TextBody": "Thanks, the text part.",
        "HtmlBody": '<p>Thanks. <img src="cid:logo@inline"></p>',
        "Attachments": [
            {
                "Name": "receipt.txt",
                "Content": "dG90YWwgMTIuNTAK",
                "ContentType": 'text/plain; charset="utf-8"',
            },
            {
                "Name": "logo.png",
                "Content": "iVBORw0KGgoAAAANSUhEUg==",
                "ContentType": "image/png",
                "ContentID": "cid:logo@inline",
            },
        ],
        "Metadata": {"item_id": "81", "attempt": "1"},
        "Tag": "receipts",
    }


def test_only_what_there_is_is_written() -> None:
    email = an_email(receiver=Address("ada@example.com"), sender=Address("mail@example.com"))
    assert written(email) == {
        "From": "mail@example.com",
        "To": "ada@example.com",
        "Subject": "Your receipt",
        "TextBody": "Thank you for your order.",
    }


def test_a_message_id_of_ours_is_kept() -> None:
    headers = written(rich_email(headers={}), message_id_domain="example.com")["Headers"]
    assert headers == [
        {"Name": "Message-ID", "Value": f"<item-{ITEM}@example.com>"},
        {"Name": "X-PM-KeepID", "Value": "true"},
    ]


def test_a_stream_is_named_if_it_is_configured() -> None:
    assert written(an_email(), message_stream="receipts")["MessageStream"] == "receipts"
    assert "MessageStream" not in written(an_email())


def test_the_first_tag_is_the_one_that_postmark_gets() -> None:
    assert written(an_email(tags=("first", "second")))["Tag"] == "first"


def test_an_image_without_html_is_an_attachment() -> None:
    [file] = written(rich_email(html="", files=(LOGO,)))["Attachments"]
    assert "ContentID" not in file


@pytest.mark.parametrize(
    ("name", "written_name"),
    [
        ("Ada", "Ada <a@example.com>"),
        ("Ünal Çelik", "Ünal Çelik <a@example.com>"),
        ("Çelik, Ünal", '"Çelik, Ünal" <a@example.com>'),
        ('The "Boss"', '"The \\"Boss\\"" <a@example.com>'),
        ("Shop [West] <x>", '"Shop [West] <x>" <a@example.com>'),
        ("back\\slash", '"back\\\\slash" <a@example.com>'),
        ("  ", "a@example.com"),
    ],
)
def test_names_are_quoted_where_they_must_be(name: str, written_name: str) -> None:
    assert written(an_email(sender=Address("a@example.com", name)))["From"] == written_name


def test_domains_are_encoded_by_idna_2008() -> None:
    """Field report 49."""
    assert written(an_email(receiver=Address("a@faß.de")))["To"] == "a@xn--fa-hia.de"


def test_a_repeated_email_is_the_same_to_the_byte_in_another_attempt() -> None:
    config = PostmarkConfig(server_token="t", message_id_domain="example.com")
    email = rich_email()
    again = replace(email, attempt_id=UUID(int=7), headers=dict(email.headers))
    assert write_message(email, config) == write_message(again, config)


@pytest.mark.parametrize(
    "changes",
    [
        {"receiver": Address("jürgen@example.com")},
        {"sender": Address("jürgen@example.com")},
        {"receiver": Address("a@example.com, b@example.com")},
        {"receiver": Address("no mailbox")},
        {"cc": (Address("x@example.com\r\nBcc: y@example.com"),)},
        {"subject": "a\u2028b"},
        {"tags": ("a\nb",)},
        {"text": "half a pair \ud800"},
        {"headers": {"Message-ID": "<x@example.com>"}},
        {"headers": {"X-Metadata": "{}"}},
        {"files": (File("a\nb.txt", "text/plain", b""),)},
        {"files": (File("a.txt", "text", b""),)},
        {"files": (File("a.png", "image/png", b"", "a b"),)},
        {"metadata": {"vdq_queue_item": "a\nb"}},
    ],
)
def test_what_can_not_be_written_is_unsendable(changes: dict[str, Any]) -> None:
    with pytest.raises(UnsendableEmail):
        written(rich_email(**changes))


@pytest.mark.parametrize(
    "metadata",
    [
        {"a_name_of_21_characte": "1"},
        {"vdq_queue_item": "x" * 81},
        {f"key{n}": "1" for n in range(11)},
    ],
)
def test_metadata_beyond_postmarks_limits_is_refused_before_anything_is_sent(
    metadata: dict[str, str],
) -> None:
    with pytest.raises(MetadataRefused):
        written(an_email(metadata=metadata))


def test_metadata_at_the_limits_is_written() -> None:
    metadata = {"key_of_20_characters"[:19] + f"{n}": "x" * 80 for n in range(10)}
    assert written(an_email(metadata=metadata))["Metadata"] == metadata
