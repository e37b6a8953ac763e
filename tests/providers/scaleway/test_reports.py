"""What Scaleway's reports say, and whom its webhook believes."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given

from app.transports.contract import ProviderEvent, WebhookRefused, WebhookUnreadable
from app.transports.email.scaleway.config import ScalewayConfig
from app.transports.email.scaleway.events import EVENTS
from app.transports.email.scaleway.facts import FACTS
from app.transports.email.scaleway.webhook import ScalewayWebhook
from tests.providers.mutated_reports import dump, survives
from tests.providers.mutations import mutated
from tests.providers.webhooks import LOGINS, STRANGERS, assert_refused, basic, posted, receive

TOPIC = "arn:scw:sns:fr-par:project-1:reports"
REPORT: dict[str, Any] = {
    "id": "ev1",
    "type": "email_delivered",
    "project_id": "proj-1",
    "created_at": "2026-09-21T14:13:20Z",
    "email_id": "s1",
    "email_from": "mail@example.com",
    "email_to": "Ada@example.com",
    "email_headers": [
        {"name": "X-Metadata", "value": '{"vdq_queue_item": "81", "attempt": 1}'},
        {"name": "X-Tags", "value": '["receipts", "eu"]'},
        {"name": "Subject", "value": "a canary"},
    ],
    "email_response_code": 250,
    "email_response_message": "2.0.0 OK",
    "email_try_count": 1,
}
MEANINGS = {
    "email_queued": ("queued", ""),
    "email_deferred": ("deferred", ""),
    "email_delivered": ("delivered", ""),
    "email_dropped": ("bounced", "bounced"),
    "email_mailbox_not_found": ("bounced", "invalid"),
    "email_spam": ("rejected", "spam"),
    "email_blocklisted": ("rejected", "blocked"),
    "blocklist_created": ("unknown", ""),
    "unknown_type": ("unknown", ""),
}


def webhook(topic: str = "") -> ScalewayWebhook:
    config = ScalewayConfig(secret_key="k", project_id="p", webhook_logins=LOGINS, topic_arn=topic)
    return ScalewayWebhook(config)


def envelope(report: Any, topic: str = TOPIC) -> dict[str, Any]:
    """As Amazon SNS writes it."""
    return {
        "Type": "Notification",
        "MessageId": "n1",
        "TopicArn": topic,
        "Message": json.dumps(report),
        "Timestamp": "2026-09-21T14:13:21Z",
    }


def events(content: Any, topic: str = "") -> list[ProviderEvent]:
    request = posted(dump(content), "text/plain; charset=UTF-8", authorization=basic())
    return receive(webhook(topic), request)


def read(**changes: Any) -> ProviderEvent:
    [event] = events(envelope(REPORT | changes))
    return event


@pytest.mark.parametrize(("name", "meant"), MEANINGS.items())
def test_each_event_has_its_type_and_reason(name: str, meant: tuple[str, str]) -> None:
    event = read(type=name)
    assert (event.type.value, event.reason, event.status) == (*meant, name)


def test_every_event_of_the_table_is_tested() -> None:
    assert set(EVENTS) < set(MEANINGS)


def test_a_report_is_read_in_full() -> None:
    event = read()
    assert (event.message_id, event.recipient, event.code) == ("s1", "Ada@example.com", "250")
    assert event.text == "Scaleway: 2.0.0 OK"
    assert event.occurred_at == datetime(2026, 9, 21, 14, 13, 20, tzinfo=UTC)
    assert event.metadata == {"vdq_queue_item": "81", "attempt": "1"}
    assert event.tags == ("receipts", "eu")


def test_the_headers_of_the_message_are_not_stored() -> None:
    assert "canary" not in repr(read())


def test_headers_may_be_called_keys() -> None:
    assert read(email_headers=[{"key": "x-metadata", "value": '{"a": "1"}'}]).metadata == {"a": "1"}


@pytest.mark.parametrize("headers", [None, "x", [5], [{"name": "X-Metadata", "value": "{"}], {}])
def test_without_readable_headers_there_are_no_keys(headers: Any) -> None:
    assert (read(email_headers=headers).metadata, read(email_headers=headers).tags) == ({}, ())


def test_a_topic_may_leave_the_envelope_away() -> None:
    [event] = events(REPORT)
    assert event.event_key == read().event_key


def test_a_report_is_known_by_its_id() -> None:
    assert read(created_at=None).event_key == read().event_key
    assert read(id="ev2").event_key != read().event_key
    assert read(id=None).event_key == read(id=None).event_key
    assert read(id=None, email_try_count=2).event_key != read(id=None).event_key


def test_the_address_to_confirm_a_subscription_is_shown_to_people() -> None:
    """Field report 40. Nothing is opened by itself."""
    address = "https://sns.example.com/?Action=ConfirmSubscription&Token=t"
    asked = {"Type": "SubscriptionConfirmation", "TopicArn": TOPIC, "SubscribeURL": address}
    [event] = events(asked, TOPIC)
    assert (event.type.value, event.status) == ("unknown", "SubscriptionConfirmation")
    assert address in event.text


def test_the_end_of_a_subscription_is_shown_to_people() -> None:
    """Field report 40."""
    address = "https://sns.example.com/?Action=ConfirmSubscription&Token=t"
    told = {"Type": "UnsubscribeConfirmation", "TopicArn": TOPIC, "SubscribeURL": address}
    [event] = events(told, TOPIC)
    assert (event.type.value, event.status) == ("unknown", "UnsubscribeConfirmation")
    assert "nothing more is reported" in event.text


@pytest.mark.parametrize("kind", ["Notification", "SubscriptionConfirmation"])
@pytest.mark.parametrize("topic", ["arn:scw:sns:fr-par:other:reports", "", None])
def test_another_topic_is_refused(kind: str, topic: Any) -> None:
    """Field report 40."""
    with pytest.raises(WebhookRefused):
        events(envelope(REPORT) | {"Type": kind, "TopicArn": topic}, TOPIC)


def test_the_configured_topic_is_believed() -> None:
    assert events(envelope(REPORT), TOPIC)


@pytest.mark.parametrize(
    "content",
    [[], "x", {}, {"Type": "Notification"}, envelope("x"), envelope({}), envelope({"type": 1.5})],
)
def test_what_is_no_report_is_unreadable(content: Any) -> None:
    with pytest.raises(WebhookUnreadable):
        events(content)


@given(mutated(REPORT))
def test_a_mutated_report_is_read_or_unreadable(content: Any) -> None:
    for whole in (content, envelope(content)):
        survives(webhook(), posted(dump(whole), authorization=basic()))


@given(mutated(envelope(REPORT)))
def test_a_mutated_envelope_is_read_or_unreadable(content: Any) -> None:
    survives(webhook(), posted(dump(content), authorization=basic()))


@pytest.mark.parametrize("headers", STRANGERS)
def test_who_does_not_know_the_password_is_refused(headers: dict[str, str]) -> None:
    assert_refused(webhook(), posted(dump(envelope(REPORT)), **headers))


def test_a_password_is_asked_for_and_is_all_that_protects_reports() -> None:
    """What speaks as SNS does sends a password only after 401."""
    assert (FACTS.refused_status, FACTS.signs_webhooks) == (401, False)
