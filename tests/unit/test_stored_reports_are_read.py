"""A report that was stored is read once more as it was read when it came."""

import json
from urllib.parse import urlencode
from uuid import uuid7

import pytest

from app.models import storable
from app.transports.contract import ProviderEvent, RawRequest
from app.transports.email.postmark.config import PostmarkConfig
from app.transports.email.postmark.webhook import PostmarkWebhook
from app.transports.sms.twilio_config import TwilioConfig
from app.transports.sms.twilio_webhook import TwilioWebhook
from app.transports.stored_reports import read_stored

SID = "SM" + "a" * 32


def stored(event: ProviderEvent) -> dict[str, object]:
    return json.loads(storable.to_json(event.raw))


def test_a_callback_is_read_with_the_keys_of_its_address() -> None:
    webhook = TwilioWebhook(TwilioConfig(account_sid="AC" + "b" * 32, auth_token="secret"))
    keys = urlencode({"queue_item": uuid7(), "attempt": uuid7()}).encode()
    body = urlencode({"MessageSid": SID, "MessageStatus": "delivered", "To": "+15550100"}).encode()
    form = {"content-type": "application/x-www-form-urlencoded"}
    [came] = webhook.parse(RawRequest("POST", (), keys, form, body))
    assert read_stored(webhook, stored(came), SID, keys) == [came]


def test_a_report_of_another_message_is_not_taken_for_it() -> None:
    webhook = TwilioWebhook(TwilioConfig(account_sid="AC" + "b" * 32, auth_token="secret"))
    raw = {"MessageSid": SID, "MessageStatus": "delivered"}
    assert read_stored(webhook, raw, "SM" + "c" * 32) == []


@pytest.mark.parametrize("raw", [{"a": 1}, {"MessageSid": 1}, {"event": None, "type": []}])
def test_what_is_no_report_of_the_provider_says_nothing(raw: dict[str, object]) -> None:
    webhooks = (
        TwilioWebhook(TwilioConfig(account_sid="AC" + "b" * 32, auth_token="secret")),
        PostmarkWebhook(PostmarkConfig(server_token="token")),
    )
    assert [read_stored(webhook, raw, None) for webhook in webhooks] == [[], []]
