"""How an email is written for Mailjet."""

import json
from typing import Any

import pytest

from app.transports.contract import Address, File, OutboundEmail
from app.transports.email.mailjet.config import MailjetConfig
from app.transports.email.mailjet.message import write_message
from app.transports.email.unsendable import UnsendableEmail
from tests.providers.cases import request_of, the_receipt
from tests.providers.emails import an_email

CONFIG = MailjetConfig(api_key="k", secret_key="s")


def written(email: OutboundEmail) -> dict[str, Any]:
    [message] = json.loads(write_message(email, CONFIG))["Messages"]
    return message


def test_a_message_is_written_as_mailjet_wants_it() -> None:
    """As captured, but for the others in To, Cc and Bcc, who would get copies."""
    email = the_receipt(reply_to=(Address("help@example.com", "Help"),))
    body = request_of("mailjet")["body"]
    captured = body["Globals"] | body["Messages"][0]
    del captured["Cc"], captured["Bcc"]
    captured["To"] = captured["To"][:1]
    captured["EventPayload"] = '{"item_id": "81", "attempt": "1"}'
    captured["CustomID"] = str(email.provider_key)
    captured["Attachments"][0]["ContentType"] = 'text/plain; charset="utf-8"'

    assert written(email) == captured


def test_an_image_is_inline_only_beside_html() -> None:
    files = (File("a.png", "image/png", b"x", "logo"),)
    beside = written(an_email(files=files, html="<img src='cid:logo'>"))
    alone = written(an_email(files=files))
    assert beside["InlinedAttachments"][0]["ContentID"] == "logo"
    assert "Attachments" not in beside
    assert "InlinedAttachments" not in alone


@pytest.mark.parametrize(
    "changes",
    [
        {"text": "", "html": ""},
        {"reply_to": (Address("a@example.com"), Address("b@example.com"))},
        {"headers": {"X-MJ-CustomID": "1"}},
        {"headers": {"x-mailjet-campaign": "1"}},
        {"text": "\ud800"},
        {"tags": ("a\nb",)},
    ],
)
def test_what_cannot_be_written_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(UnsendableEmail):
        written(an_email(**changes))
