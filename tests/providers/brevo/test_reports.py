"""What Brevo's reports say, and whom its webhook believes."""

import json
from datetime import UTC, datetime
from typing import Any, ClassVar, override

import pytest
from hypothesis import given

from app.transports.contract import ProviderEvent, Webhook, WebhookUnreadable
from app.transports.email.brevo.config import BrevoConfig
from app.transports.email.brevo.events import EVENTS
from app.transports.email.brevo.facts import FACTS
from app.transports.email.brevo.webhook import BrevoWebhook
from app.transports.http.basic_auth import Login
from tests.providers.mutated_reports import dump, survives
from tests.providers.mutations import mutated
from tests.providers.report_suite import ReportSuite
from tests.providers.webhooks import LOGINS, STRANGERS, assert_refused, basic, posted, receive

WEBHOOK = BrevoWebhook(BrevoConfig(api_key="k", webhook_logins=LOGINS))

REPORT: dict[str, Any] = {
    "event": "delivered",
    "email": "Ada@example.com",
    "id": 70123,
    "date": "2026-09-21 16:13:20",
    "message-id": "<1@smtp-relay.mailin.fr>",
    "ts_epoch": 1790000000123,
    "subject": "Your receipt",
    "X-Mailin-custom": '{"vdq_queue_item": "81"}',
    "tags": ["receipts"],
}

MEANINGS = {
    "request": ("queued", ""),
    "delivered": ("delivered", ""),
    "hard_bounce": ("bounced", "bounced"),
    "soft_bounce": ("bounced", "bounced"),
    "blocked": ("rejected", "blocked"),
    "spam": ("complained", "spam"),
    "complaint": ("complained", "spam"),
    "invalid_email": ("bounced", "invalid"),
    "deferred": ("deferred", ""),
    "unique_opened": ("opened", ""),
    "opened": ("opened", ""),
    "unique_proxy_open": ("opened", ""),
    "proxy_open": ("opened", ""),
    "click": ("clicked", ""),
    "unsubscribe": ("unsubscribed", ""),
    "error": ("failed", ""),
    "list_addition": ("subscribed", ""),
    "of the future": ("unknown", ""),
}


def events(content: Any) -> list[ProviderEvent]:
    return receive(WEBHOOK, posted(dump(content), authorization=basic()))


def read(**changes: Any) -> ProviderEvent:
    [event] = events(REPORT | changes)
    return event


class TestReports(ReportSuite):
    esp: ClassVar[str] = "brevo"
    signs: ClassVar[bool] = False

    @override
    def webhook(self, *logins: Login, signed: bool = True) -> Webhook:
        return BrevoWebhook(BrevoConfig(api_key="k", webhook_logins=logins))


@pytest.mark.parametrize(("name", "meant"), MEANINGS.items())
def test_each_event_has_its_type_and_reason(name: str, meant: tuple[str, str]) -> None:
    event = read(event=name)
    assert (event.type.value, event.reason, event.status) == (*meant, name)


def test_every_event_of_the_table_is_tested() -> None:
    assert set(EVENTS) < set(MEANINGS)


def test_brevos_words_are_kept() -> None:
    assert read(event="soft_bounce", reason="452 4.2.2 full").text == "Brevo: 452 4.2.2 full"


def test_the_only_time_that_counts_is_the_one_in_milliseconds() -> None:
    assert read().occurred_at == datetime(2026, 9, 21, 14, 13, 20, 123000, tzinfo=UTC)
    assert read(ts_epoch=None, ts=1790007200).occurred_at is None


def test_a_batch_is_read_and_one_bad_report_is_kept_beside_it() -> None:
    """Field report 34."""
    batch = [REPORT, "no report", {"event": ""}, None, REPORT | {"event": "click"}]
    read = [event.status for event in events(batch)]
    assert read == ["delivered", *["unreadable"] * 3, "click"]


def test_one_tag_of_an_older_report_is_read() -> None:
    assert read(tags=None, tag="receipts").tags == ("receipts",)


def test_the_keys_are_left_to_the_tracking_strategy() -> None:
    event = read()
    assert (event.item_key, event.attempt_key) == (None, None)
    assert event.metadata == {"vdq_queue_item": "81"}


def test_a_message_to_us_is_noted_without_its_content() -> None:
    [event] = events({"items": [{"MessageId": "<x1@example.com>", "RawTextBody": "a canary"}]})
    assert (event.type.value, event.message_id) == ("inbound", "<x1@example.com>")
    assert "canary" not in repr(event)


def test_a_repeated_report_is_the_same_event_and_every_other_report_is_another() -> None:
    """Field report 30."""
    assert len({read(event=name).event_key for name in MEANINGS}) == len(MEANINGS)
    assert read(id=5, date="later").event_key == read().event_key
    assert read(ts_epoch=1790000009000).event_key == read().event_key
    opened = read(event="opened")
    assert read(event="opened", ts_epoch=1790000009000).event_key != opened.event_key
    assert read(**{"message-id": "<2@x>"}).event_key != read().event_key
    assert read(email="bob@example.com").event_key != read().event_key


@pytest.mark.parametrize(
    "body", [b"", b"{", b'"x"', b"{}", b'{"event": 1.5}', b"\xff", b"[" * 9999]
)
def test_what_is_no_report_is_unreadable(body: bytes) -> None:
    with pytest.raises(WebhookUnreadable):
        receive(WEBHOOK, posted(body, authorization=basic()))


@given(mutated(REPORT))
def test_a_mutated_report_is_read_or_unreadable(content: Any) -> None:
    survives(WEBHOOK, posted(dump(content), authorization=basic()))


@given(mutated([REPORT, REPORT]))
def test_a_mutated_batch_is_read_or_unreadable(content: Any) -> None:
    survives(WEBHOOK, posted(dump(content), authorization=basic()))


@pytest.mark.parametrize("headers", STRANGERS)
def test_who_does_not_know_the_password_is_refused(headers: dict[str, str]) -> None:
    assert_refused(WEBHOOK, posted(json.dumps(REPORT).encode(), **headers))


def test_no_answer_but_429_keeps_a_report_that_is_not_taken() -> None:
    """Brevo drops a report at any other refusal or failure."""
    assert (FACTS.refused_status, FACTS.not_stored_status, FACTS.stored_status) == (429, 429, 200)
    assert not FACTS.signs_webhooks
