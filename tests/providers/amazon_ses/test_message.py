"""How an email is written for Amazon SES."""

import json
from email.message import Message
from typing import Any

import pytest

from app.transports.contract import Address, MetadataRefused, OutboundEmail
from app.transports.email.amazon_ses.config import AmazonSesConfig
from app.transports.email.amazon_ses.message import write_message
from app.transports.email.unsendable import UnsendableEmail
from tests.fakes.amazon_ses import letter_in
from tests.providers.cases import the_receipt
from tests.providers.emails import an_email

ACCOUNT: dict[str, Any] = {
    "access_key_id": "AKIATESTTESTTEST",
    "secret_access_key": "s",
    "region": "eu-west-1",
}
CONFIG = AmazonSesConfig(**ACCOUNT)


def letter(email: OutboundEmail) -> Message:
    return letter_in(write_message(email, CONFIG))


def test_a_message_goes_to_its_receiver_and_shows_everybody() -> None:
    body = write_message(the_receipt(), CONFIG)
    assert json.loads(body)["Destination"] == {"ToAddresses": ["ada@example.com"]}
    written = letter_in(body)
    assert "bob@example.com" in written["To"]
    assert written["Cc"] == "cy@example.com"
    assert "help@example.com" in written["Reply-To"]
    assert "ops@example.com" in written["Reply-To"]
    assert written.get_all("X-Tag") == ["receipts", "eu"]
    assert json.loads(written["X-Metadata"]) == {"item_id": "81", "attempt": "1"}
    kinds = [part.get_content_type() for part in written.walk()]
    assert {"text/plain", "text/html", "image/png"} <= set(kinds)
    image = next(part for part in written.walk() if part.get_content_type() == "image/png")
    assert image["Content-ID"] == "<logo@inline>"


def test_metadata_are_not_folded() -> None:
    metadata = {"a": "x y ü" * 30, "vdq_attempt": "b-1"}
    body = write_message(an_email(metadata=metadata), CONFIG)
    written = letter_in(body)["X-Metadata"]
    assert json.loads(written) == metadata
    assert not any(character.isspace() for character in written)
    assert json.loads(body)["EmailTags"] == [{"Name": "vdq_attempt", "Value": "b-1"}]


def test_metadata_that_are_too_long_are_refused() -> None:
    with pytest.raises(MetadataRefused):
        letter(an_email(metadata={"a": "x" * 900}))


def test_a_configuration_set_is_named_where_there_is_one() -> None:
    config = AmazonSesConfig(**ACCOUNT, configuration_set="pillarbox")
    assert json.loads(write_message(an_email(), config))["ConfigurationSetName"] == "pillarbox"
    assert "ConfigurationSetName" not in json.loads(write_message(an_email(), CONFIG))


@pytest.mark.parametrize(
    "changes",
    [
        {"sender": Address("ü@example.com")},
        {"to": (Address("ü@example.com"),)},
        {"metadata": {"a": "x\ny"}},
        {"tags": ("a\nb",)},
        {"text": "\ud800"},
        {"headers": {"X-Metadata": "{}"}},
    ],
)
def test_what_cannot_be_written_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(UnsendableEmail):
        letter(an_email(**changes))
