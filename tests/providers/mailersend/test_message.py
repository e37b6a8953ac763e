"""How an email is written for MailerSend."""

import json
from typing import Any

import pytest

from app.transports.contract import Address, File, MetadataRefused
from app.transports.email.mailersend.message import write_message
from app.transports.email.unsendable import UnsendableEmail
from tests.providers.cases import request_of, the_receipt
from tests.providers.emails import an_email

KEYS = {"vdq_queue_item": "i", "vdq_attempt": "a"}


def written(**changes: Any) -> dict[str, Any]:
    return json.loads(write_message(an_email(**changes)))


def test_a_message_is_written_as_mailersend_wants_it() -> None:
    """As captured, but for the others in To, Cc and Bcc, who would get copies."""
    email = the_receipt(reply_to=(Address("help@example.com", "Help"),), metadata=KEYS)
    captured = request_of("mailersend")["body"]
    del captured["cc"], captured["bcc"]
    captured["to"] = captured["to"][:1]
    captured["tags"] = ["vdq_queue_item:i", "vdq_attempt:a", "receipts", "eu"]

    assert json.loads(write_message(email)) == captured


def test_five_tags_are_sent_the_keys_first() -> None:
    tags = ("vdq_attempt:forged", *(str(n) for n in range(9)))
    sent = written(tags=tags, metadata=KEYS)["tags"]
    assert sent == ["vdq_queue_item:i", "vdq_attempt:a", "0", "1", "2"]


def test_some_headers_are_fields() -> None:
    headers = {"In-Reply-To": "<1@example.com>", "Precedence": "bulk", "X-Note": "ü"}
    message = written(headers=headers)
    assert (message["in_reply_to"], message["precedence_bulk"]) == ("1@example.com", True)
    [note] = message["headers"]
    assert note["value"].isascii()


@pytest.mark.parametrize("metadata", [{"item": "1"}, {**KEYS, "a": "b"}, {"vdq_x": "x" * 200}])
def test_other_metadata_is_refused(metadata: dict[str, str]) -> None:
    with pytest.raises(MetadataRefused):
        written(metadata=metadata)


def test_a_file_has_the_name_that_says_its_type() -> None:
    [file] = written(files=(File("invoice", "application/pdf", b"x"),))["attachments"]
    assert (file["filename"], file["disposition"]) == ("invoice.pdf", "attachment")


@pytest.mark.parametrize(
    "changes",
    [
        {"text": "", "html": ""},
        {"reply_to": (Address("a@example.com"), Address("b@example.com"))},
        {"headers": {"In-Reply-To": "a\nb"}},
        {"text": "\ud800"},
        {"tags": ("a\nb",)},
    ],
)
def test_what_cannot_be_written_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(UnsendableEmail):
        written(**changes)
