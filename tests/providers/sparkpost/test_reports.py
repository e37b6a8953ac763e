"""What SparkPost's reports say, and whom its webhook believes."""

import base64
import json
from datetime import UTC, datetime
from typing import Any, ClassVar, override

import pytest

from app.transports.contract import ProviderEvent, Webhook, WebhookUnreadable
from app.transports.email.sparkpost.config import SparkpostConfig
from app.transports.email.sparkpost.events import CLASSES, EVENTS
from app.transports.email.sparkpost.facts import FACTS
from app.transports.email.sparkpost.webhook import SparkpostWebhook
from app.transports.http.basic_auth import Login
from tests.providers.report_suite import LOGIN, ReportSuite, accept, with_login
from tests.providers.webhooks import posted

EVENT: dict[str, Any] = {
    "type": "delivery",
    "event_id": "92356927693813856",
    "timestamp": "1790000000",
    "transmission_id": "7000000000000000081",
    "message_id": "000443ee14578172be22",
    "rcpt_to": "ada@example.com",
    "raw_rcpt_to": "Ada@example.com",
    "rcpt_meta": {"vdq_queue_item": "81"},
    "campaign_id": "receipts",
}
MEANINGS = {
    "injection": ("queued", ""),
    "delivery": ("delivered", ""),
    "bounce": ("bounced", "bounced"),
    "out_of_band": ("bounced", "bounced"),
    "delay": ("deferred", ""),
    "policy_rejection": ("rejected", "blocked"),
    "generation_rejection": ("rejected", "blocked"),
    "generation_failure": ("failed", ""),
    "spam_complaint": ("complained", "spam"),
    "open": ("opened", ""),
    "initial_open": ("opened", ""),
    "amp_open": ("opened", ""),
    "amp_initial_open": ("opened", ""),
    "click": ("clicked", ""),
    "amp_click": ("clicked", ""),
    "list_unsubscribe": ("unsubscribed", ""),
    "link_unsubscribe": ("unsubscribed", ""),
    "of the future": ("unknown", ""),
}
NO_BOUNCES = {
    "60": "autoresponded",
    "80": "subscribed",
    "90": "unsubscribed",
    "100": "autoresponded",
}


def webhook(*logins: Login) -> SparkpostWebhook:
    return SparkpostWebhook(SparkpostConfig(api_key="k", webhook_logins=logins))


class TestReports(ReportSuite):
    esp: ClassVar[str] = "sparkpost"
    signs: ClassVar[bool] = False

    @override
    def webhook(self, *logins: Login, signed: bool = True) -> Webhook:
        return webhook(*logins)


def events(content: Any) -> list[ProviderEvent]:
    return accept(webhook(LOGIN), with_login(posted(json.dumps(content).encode())))


def envelope(kind: str = "message_event", **changes: Any) -> dict[str, Any]:
    return {"msys": {kind: EVENT | changes}}


def read(kind: str = "message_event", **changes: Any) -> ProviderEvent:
    [event] = events([envelope(kind, **changes)])
    return event


@pytest.mark.parametrize(("name", "meant"), MEANINGS.items())
@pytest.mark.parametrize("kind", ["message_event", "track_event", "gen_event", "a_new_event"])
def test_each_event_has_its_type_and_reason(kind: str, name: str, meant: tuple[str, str]) -> None:
    event = read(kind, type=name)
    assert (event.type.value, event.reason, event.status) == (*meant, name)


def test_every_event_of_the_table_is_tested() -> None:
    assert set(EVENTS) < set(MEANINGS)


@pytest.mark.parametrize(("bounce_class", "reason"), [*CLASSES.items(), ("77", "other")])
def test_each_class_of_bounces_has_its_meaning(bounce_class: str, reason: str) -> None:
    event = read(type="bounce", bounce_class=bounce_class, raw_reason="550 5.1.1 no such user")
    assert (event.reason, event.code) == (reason, bounce_class)
    assert event.type.value == NO_BOUNCES.get(bounce_class, "bounced")
    assert event.text == "SparkPost: 550 5.1.1 no such user"


@pytest.mark.parametrize("name", ["delay", "policy_rejection", "generation_rejection"])
def test_the_class_of_what_is_no_bounce_changes_no_type(name: str) -> None:
    assert read(type=name, bounce_class="60").type.value == MEANINGS[name][0]


def test_the_id_is_the_one_that_the_send_was_answered() -> None:
    assert read().message_id == "7000000000000000081"


def test_the_receiver_is_written_as_it_was_given() -> None:
    assert read().recipient == "Ada@example.com"
    assert read(raw_rcpt_to=None).recipient == "ada@example.com"


def test_a_test_of_the_webhook_says_nothing() -> None:
    """Field report 41."""
    assert events([{"msys": {}}]) == []


def test_one_bad_report_is_kept_and_does_not_spoil_the_list() -> None:
    """Field report 34."""
    odd = ["x", None, {}, {"msys": []}, {"msys": {"message_event": 1}}, envelope(type=5.5)]
    batch = [*odd, envelope(), *odd, envelope(type="open")]
    kept = ["unreadable"] * len(odd)
    assert [event.status for event in events(batch)] == [*kept, "delivery", *kept, "open"]


def test_a_list_without_anything_to_read_has_to_come_again() -> None:
    with pytest.raises(WebhookUnreadable):
        events(["x", {}])
    assert events([{"msys": {}}]) == []


def test_a_report_is_known_by_its_id() -> None:
    assert read(timestamp="1790000009").event_key == read().event_key
    assert read(event_id="2").event_key != read().event_key
    assert read(event_id=None).event_key == read(event_id=None).event_key
    assert read(event_id=None, timestamp="5").event_key != read(event_id=None).event_key


@pytest.mark.parametrize("written", ["1790000000", 1790000000, "2026-09-21T14:13:20.000Z"])
def test_times_are_seconds_or_dates(written: Any) -> None:
    assert read(timestamp=written).occurred_at == datetime(2026, 9, 21, 14, 13, 20, tzinfo=UTC)


@pytest.mark.parametrize("encoded", [False, True])
def test_a_message_to_us_is_noted_without_its_content(encoded: bool) -> None:
    raw = "Message-ID: <x1@example.com>\r\n\r\na canary"
    content = {
        "email_rfc822": base64.b64encode(raw.encode()).decode() if encoded else raw,
        "email_rfc822_is_base64": encoded,
    }
    message = {"rcpt_to": "reply@example.com", "msg_from": "ada@example.com", "content": content}
    [event] = events([{"msys": {"relay_message": message}}])
    assert (event.type.value, event.message_id) == ("inbound", "<x1@example.com>")
    assert event.recipient == "reply@example.com"
    assert "canary" not in repr(event)
    assert content["email_rfc822"] not in repr(event)


@pytest.mark.parametrize("body", [b"", b"{", b"{}", b'"x"', b"5", b"null", b"[" * 9999])
def test_what_is_no_list_is_unreadable(body: bytes) -> None:
    with pytest.raises(WebhookUnreadable):
        accept(webhook(LOGIN), with_login(posted(body)))


def test_a_refusal_does_not_end_sparkposts_repetitions() -> None:
    """It repeats whatever is not answered by 200."""
    assert (FACTS.refused_status, FACTS.stored_status) == (401, 200)
    assert not FACTS.signs_webhooks
