"""How an email is written for SendGrid."""

import json
from typing import Any

import pytest

from app.transports.contract import MetadataRefused
from app.transports.email.sendgrid.config import SendgridConfig
from app.transports.email.sendgrid.message import write_message
from app.transports.email.unsendable import UnsendableEmail
from tests.providers.cases import request_of, the_receipt
from tests.providers.emails import an_email

CONFIG = SendgridConfig(api_key="k")


def written(**changes: Any) -> dict[str, Any]:
    return json.loads(write_message(an_email(**changes), CONFIG))


def test_a_message_is_written_as_sendgrid_wants_it() -> None:
    """As captured, but for the others in To, Cc and Bcc, who would get copies, and for metadata of
    a name that SendGrid has for itself."""
    email = the_receipt(metadata={"item_id": "81"})
    captured = request_of("sendgrid")["body"]
    [person] = captured["personalizations"]
    captured["personalizations"] = [{"to": person["to"][:1]}]
    captured["custom_args"] = {"item_id": "81", "pillarbox_id": str(email.provider_key)}

    assert json.loads(write_message(email, CONFIG)) == captured


def test_the_plain_text_stands_before_the_html_and_nothing_is_empty() -> None:
    kinds = [one["type"] for one in written(text="a", html="b")["content"]]
    assert kinds == ["text/plain", "text/html"]
    assert [one["type"] for one in written(text="", html="b")["content"]] == ["text/html"]


def test_ten_tags_are_sent_each_once() -> None:
    tags = ("a", "a", *(str(n) for n in range(20)))
    assert written(tags=tags)["categories"] == ["a", *(str(n) for n in range(9))]


@pytest.mark.parametrize("metadata", [{"attempt": "1"}, {"category": "x"}, {"a": "x" * 10_000}])
def test_metadata_that_would_be_lost_is_refused(metadata: dict[str, str]) -> None:
    with pytest.raises(MetadataRefused):
        written(metadata=metadata)


@pytest.mark.parametrize(
    "changes",
    [
        {"text": "", "html": ""},
        {"headers": {"X-SMTPAPI": "{}"}},
        {"headers": {"x-sg-eid": "1"}},
        {"text": "\ud800"},
    ],
)
def test_what_cannot_be_written_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(UnsendableEmail):
        written(**changes)
