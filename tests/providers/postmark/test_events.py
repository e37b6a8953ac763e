"""What Postmark's reports say."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from app.transports.contract import ProviderEvent, RawRequest, Report, WebhookUnreadable
from app.transports.email.postmark.config import PostmarkConfig
from app.transports.email.postmark.webhook import PostmarkWebhook
from tests.providers.postmark import cases
from tests.providers.postmark.cases import CASES, DELIVERY, INBOUND, MESSAGE_ID, RECEIVER


def parse(body: bytes) -> list[ProviderEvent]:
    request = RawRequest("POST", (), b"", {"content-type": "application/json"}, body)
    return PostmarkWebhook(PostmarkConfig(server_token="t")).parse(request)


def read(report: dict[str, Any]) -> ProviderEvent:
    [event] = parse(json.dumps(report).encode())
    return event


@pytest.mark.parametrize("name", CASES)
def test_each_report_has_its_normalised_type_and_reason(name: str) -> None:
    report, kind, reason = CASES[name]
    event = read(report)
    assert (event.type.value, event.reason, event.status) == (kind, reason, name)
    assert event.recipient == RECEIVER
    assert event.occurred_at == datetime(2026, 9, 21, 14, 13, 20, tzinfo=UTC)
    assert event.metadata == {"item_id": "81", "attempt": "1"}
    assert event.tags == ("receipts",)


@pytest.mark.parametrize("name", [n for n in CASES if not n.endswith("reactivated")])
def test_each_report_names_its_message(name: str) -> None:
    assert read(CASES[name][0]).message_id == MESSAGE_ID


def test_an_id_of_zeros_names_no_message() -> None:
    assert read(CASES["SubscriptionChange/reactivated"][0]).message_id is None


def test_a_bounce_says_what_the_receivers_server_said() -> None:
    event = read(cases.bounce("HardBounce"))
    assert event.code == "HardBounce"
    assert event.text == "Postmark: Postmark text for HardBounce. smtp;550 5.1.1 no such user"


def test_the_keys_are_left_to_the_tracking_strategy() -> None:
    event = read(DELIVERY | {"Metadata": {"vdq_queue_item": str(MESSAGE_ID)}})
    assert (event.item_key, event.attempt_key) == (None, None)


def test_a_repeated_report_is_the_same_event_and_every_other_report_is_another() -> None:
    """Field report 30."""
    reports = [report for report, _, _ in CASES.values()]
    assert len({read(report).event_key for report in reports}) == len(reports)
    assert [read(r).event_key for r in reports] == [read(r).event_key for r in reports]


@pytest.mark.parametrize(
    ("report", "change"),
    [
        (cases.bounce("Transient"), {"ID": 900_002}),
        (cases.bounce("Transient"), {"Type": "HardBounce"}),
        (cases.bounce("Transient"), {"MessageID": "another"}),
        (cases.seen("Open"), {"ReceivedAt": "2026-09-21T14:13:21Z"}),
        (cases.seen("Click", OriginalLink="https://example.com/a"), {"OriginalLink": "b"}),
        (DELIVERY, {"Recipient": "bob@example.com"}),
    ],
)
def test_what_is_said_tells_events_apart(report: dict[str, Any], change: dict[str, Any]) -> None:
    assert read(report).event_key != read(report | change).event_key


def test_a_message_is_delivered_to_somebody_once() -> None:
    again = DELIVERY | {"DeliveredAt": "2026-09-21T10:13:21-04:00", "Recipient": "Ada@example.com"}
    assert read(again).event_key == read(DELIVERY).event_key


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("2014-08-01T13:28:10.2735393-04:00", datetime(2014, 8, 1, 17, 28, 10, 273539, tzinfo=UTC)),
        ("2014-08-01T13:28:10", datetime(2014, 8, 1, 13, 28, 10, tzinfo=UTC)),
        ("yesterday", None),
        (None, None),
    ],
)
def test_times_have_seven_digits_and_offsets(given: str | None, meant: datetime | None) -> None:
    assert read(DELIVERY | {"DeliveredAt": given}).occurred_at == meant


def test_a_message_to_us_is_noted_without_its_content() -> None:
    event = read(INBOUND)
    assert (event.type.value, event.report) == ("inbound", Report.NOTED)
    assert event.recipient == "reply@example.com"
    assert "canary" not in repr(event)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[1]",
        b'"Delivery"',
        b"\xff\xfe{}",
        b'{"RecordType": NaN}',
        b'{"RecordType": "Delivery", "ID": 1e999}',
        b"[" * 100_000,
        b'{"ID": 1' + b"0" * 5000 + b"}",
        b'{"Metadata": {}}',
        b'{"RecordType": ""}',
        b'{"RecordType": ["Delivery"]}',
    ],
)
def test_what_is_no_report_is_unreadable(body: bytes) -> None:
    with pytest.raises(WebhookUnreadable):
        parse(body)


def test_a_report_with_odd_fields_is_still_read() -> None:
    """Field report 41."""
    odd = {"Metadata": ["x"], "Tag": None, "Details": {"a": 1}, "Recipient": None, "ID": True}
    event = read(DELIVERY | odd)
    assert (event.metadata, event.tags, event.recipient) == ({}, (), "")


def test_nothing_of_a_report_is_refused_by_the_database() -> None:
    body = b'{"RecordType": "Delivery", "MessageID": "a\\u0000\\ud800", "Details": "\\udfff x"}'
    [event] = parse(body)
    assert "\0" not in repr(event)
    repr(event).encode()
