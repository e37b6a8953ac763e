"""What Postal's reports say, and whom its webhook believes."""

import base64
import json
from copy import deepcopy
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, ClassVar, override
from uuid import UUID

import pytest

from app.transports.contract import (
    ProviderEvent,
    RawRequest,
    Webhook,
    WebhookRefused,
    WebhookUnreadable,
)
from app.transports.email.postal.config import PostalConfig
from app.transports.email.postal.events import EVENTS
from app.transports.email.postal.facts import FACTS
from app.transports.email.postal.webhook import PostalWebhook
from app.transports.http.basic_auth import Login
from tests.providers.postal.signing import (
    BOTH,
    OURS,
    PREVIOUS,
    SHA1,
    SHA256,
    THEIRS,
    public_text,
    signed,
)
from tests.providers.report_suite import NOW, ReportSuite, accept
from tests.providers.webhooks import posted

ITEM = UUID("0199a000-0000-7000-8000-000000000081")
REPORT: dict[str, Any] = {
    "event": "MessageSent",
    "timestamp": 1790000000.5,
    "payload": {
        "status": "Sent",
        "details": "Message sent by SMTP",
        "output": "250 2.0.0 OK",
        "timestamp": 1790000000,
        "message": {
            "id": 812,
            "direction": "outgoing",
            "message_id": f"item-{ITEM}@example.com",
            "to": "Ada@example.com",
            "tag": "receipts",
        },
    },
    "uuid": "cccccccc-0000-4000-8000-000000000081",
}
MEANINGS = {
    "MessageSent": ("delivered", ""),
    "MessageDelayed": ("deferred", ""),
    "MessageDeliveryFailed": ("failed", ""),
    "MessageHeld": ("queued", ""),
    "MessageBounced": ("bounced", "bounced"),
    "MessageLinkClicked": ("clicked", ""),
    "MessageLoaded": ("opened", ""),
    "SendLimitExceeded": ("unknown", ""),
}


def webhook(*logins: Login, public: str = public_text(OURS), previous: str = "") -> PostalWebhook:
    config = PostalConfig(
        api_key="k",
        base_url="https://postal.example.com",
        public_key=public,
        previous_public_key=previous,
        webhook_logins=logins,
    )
    return PostalWebhook(config)


class TestReports(ReportSuite):
    esp: ClassVar[str] = "postal"

    @override
    def webhook(self, *logins: Login, signed: bool = True) -> Webhook:
        return webhook(*logins, public=public_text(OURS) if signed else "")

    @override
    def sign(self, request: RawRequest, *, at: int = NOW, forged: bool = False) -> RawRequest:
        return signed(request, THEIRS if forged else OURS)

    @override
    def expected(self, case: dict[str, Any]) -> dict[str, Any]:
        """Ids are texts here."""
        return super().expected(case | {"message_id": str(case["message_id"])})

    @override
    def test_different_reports_are_different_events(self) -> None:
        """The captured ones share one uuid, so that names alone tell them apart."""
        keys = {read(event=name).event_key for name in MEANINGS}
        assert len(keys) == len(MEANINGS)


def post(report: Any) -> RawRequest:
    return posted(json.dumps(report).encode())


def events(report: Any) -> list[ProviderEvent]:
    return accept(webhook(), signed(post(report)))


def read(**changes: Any) -> ProviderEvent:
    [event] = events(REPORT | changes)
    return event


def with_payload(**changes: Any) -> dict[str, Any]:
    report = deepcopy(REPORT)
    report["payload"] |= changes
    return report


@pytest.mark.parametrize(("name", "meant"), MEANINGS.items())
def test_each_event_has_its_type_and_reason(name: str, meant: tuple[str, str]) -> None:
    payload = {"message": REPORT["payload"]["message"]}
    event = read(event=name, payload=payload)
    assert (event.type.value, event.reason, event.status) == (*meant, name)


def test_every_event_of_the_table_is_tested() -> None:
    assert set(EVENTS) < set(MEANINGS)


@pytest.mark.parametrize(
    ("status", "output", "meant"),
    [
        ("Sent", "250 OK", ("delivered", "")),
        ("SoftFail", "451 4.7.1 greylisted", ("deferred", "")),
        ("SoftFail", "550 5.1.1 but tried again", ("deferred", "")),
        ("HardFail", "550 5.1.1 no such user", ("bounced", "bounced")),
        ("HardFail", "  554-refused", ("bounced", "bounced")),
        ("HardFail", "", ("failed", "")),
        ("HardFail", "connection refused", ("failed", "")),
        ("HardFail", "5th try", ("failed", "")),
        ("Held", "", ("queued", "")),
    ],
)
def test_the_outcome_of_a_delivery_decides(status: str, output: str, meant: Any) -> None:
    [event] = events(with_payload(status=status, output=output))
    assert (event.type.value, event.reason, event.code) == (*meant, status)


def test_the_words_of_the_receivers_server_are_kept() -> None:
    assert read().text == "Postal: Message sent by SMTP. 250 2.0.0 OK"


def test_a_bounce_is_about_the_message_that_we_sent() -> None:
    ours = REPORT["payload"]["message"]
    theirs = ours | {"id": 813, "direction": "incoming", "to": "abc@psrp.example.com"}
    payload = {"original_message": ours, "bounce": theirs}
    event = read(event="MessageBounced", payload=payload)
    assert (event.message_id, event.recipient) == ("812", "Ada@example.com")
    assert event.type.value == "bounced"


def test_a_message_that_came_in_is_no_news_of_ours() -> None:
    message = REPORT["payload"]["message"] | {"direction": "incoming"}
    assert events(with_payload(message=message)) == []


def test_a_report_about_a_domain_is_noted() -> None:
    event = read(event="DomainDNSError", payload={"domain": "example.com"})
    assert (event.type.value, event.message_id, event.recipient) == ("unknown", None, "")


@pytest.mark.parametrize(
    ("written", "item"),
    [
        (f"item-{ITEM}@example.com", ITEM),
        (f"<item-{ITEM}@mail.example.com>", ITEM),
        (f"item-{ITEM}", None),
        (f"x-item-{ITEM}@example.com", None),
        ("item-" + "-" * 36 + "@example.com", None),
        ("dddddddd-0000-4000-8000-000000000081@rp.postal.example.com", None),
        (None, None),
    ],
)
def test_the_item_comes_back_with_the_message_id(written: Any, item: UUID | None) -> None:
    message = REPORT["payload"]["message"] | {"message_id": written}
    [event] = events(with_payload(message=message))
    assert (event.item_key, event.attempt_key) == (item, None)


def test_a_report_is_known_by_its_uuid() -> None:
    assert read(timestamp=5).event_key == read().event_key
    assert read(uuid="another").event_key != read().event_key
    assert read(uuid=None).event_key == read(uuid=None).event_key
    assert read(uuid=None, timestamp=5).event_key != read(uuid=None).event_key


@pytest.mark.parametrize("encoded", [False, True])
def test_a_message_to_us_is_noted_without_its_content(encoded: bool) -> None:
    raw = "Message-ID: <x1@example.com>\r\n\r\na canary"
    written = base64.b64encode(raw.encode()).decode() if encoded else raw
    report = {"id": 99, "rcpt_to": "reply@example.com", "message": written, "base64": encoded}
    [event] = events(report)
    assert (event.type.value, event.message_id) == ("inbound", "<x1@example.com>")
    assert written not in repr(event)
    assert "canary" not in repr(event)


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"{}", b'{"event": ""}', b'{"payload": 5}'])
def test_what_is_no_report_is_unreadable(body: bytes) -> None:
    with pytest.raises(WebhookUnreadable):
        accept(webhook(), signed(posted(body)))


def test_times_are_whole_seconds() -> None:
    assert read().occurred_at == datetime(2026, 9, 21, 14, 13, 20, tzinfo=UTC)


# --- whom it believes


@pytest.mark.parametrize("algorithms", [SHA1, SHA256, BOTH], ids=["sha1", "sha256", "both"])
def test_both_kinds_of_signatures_are_believed(algorithms: Any) -> None:
    assert accept(webhook(), signed(post(REPORT), algorithms=algorithms))


def test_beside_a_wrong_newer_signature_the_older_one_is_not_believed() -> None:
    older = signed(post(REPORT), algorithms=SHA1)
    newer = signed(post(REPORT), THEIRS, SHA256)
    for wrong in (newer.headers["x-postal-signature-256"], "", "!!!"):
        headers = {**older.headers, "x-postal-signature-256": wrong}
        with pytest.raises(WebhookRefused):
            accept(webhook(), replace(older, headers=headers))


def test_a_signature_of_one_kind_is_none_of_the_other() -> None:
    older = signed(post(REPORT), algorithms=SHA1).headers["x-postal-signature"]
    request = post(REPORT)
    headers = {**request.headers, "x-postal-signature-256": older}
    with pytest.raises(WebhookRefused):
        accept(webhook(), replace(request, headers=headers))


def test_two_keys_are_believed_while_the_installation_gets_another() -> None:
    changing = webhook(previous=public_text(PREVIOUS))
    for key in (OURS, PREVIOUS):
        assert accept(changing, signed(post(REPORT), key))
    with pytest.raises(WebhookRefused):
        accept(webhook(), signed(post(REPORT), PREVIOUS))


def test_the_facts_say_that_it_signs() -> None:
    assert FACTS.signs_webhooks
