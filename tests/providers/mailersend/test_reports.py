"""What MailerSend's reports mean, and whom its webhook believes."""

import hmac
import json
from dataclasses import replace
from typing import Any, ClassVar, override

import pytest

from app.transports.contract import RawRequest, WebhookRefused, WebhookUnreadable
from app.transports.email.mailersend.config import MailersendConfig
from app.transports.email.mailersend.webhook import MailersendWebhook
from app.transports.http.basic_auth import Login
from tests.providers.cases import Reported
from tests.providers.report_suite import LOGIN, NOW, ReportSuite, accept, with_login

SECRET = "a secret that was made for tests"


class TestReports(ReportSuite):
    esp: ClassVar[str] = "mailersend"

    @override
    def webhook(self, *logins: Login, signed: bool = True) -> MailersendWebhook:
        secret = SECRET if signed else ""
        config = MailersendConfig(api_token="t", webhook_secret=secret, webhook_logins=logins)
        return MailersendWebhook(config)

    @override
    def sign(self, request: RawRequest, *, at: int = NOW, forged: bool = False) -> RawRequest:
        secret = "a guess" if forged else SECRET
        signature = hmac.digest(secret.encode(), request.body, "sha256").hex()
        return replace(request, headers={**request.headers, "signature": signature})

    @override
    def expected(self, case: dict[str, Any]) -> dict[str, Any]:
        """What was captured of a message to us has no time."""
        at = case.get("timestamp") or "2026-09-21T14:13:20+00:00"
        return super().expected(case | {"timestamp": at})


def request_with(content: Any) -> RawRequest:
    return Reported("application/json", {}, json.dumps(content).encode(), []).request()


def parse(content: Any) -> list[Any]:
    suite = TestReports()
    return accept(suite.webhook(), suite.sign(request_with(content)))


def activity(kind: str, **data: Any) -> dict[str, Any]:
    return {"type": f"activity.{kind}", "data": {"type": kind, "id": "a1", **data}}


@pytest.mark.parametrize(
    ("kind", "meant", "reason"),
    [
        ("sent", "sent", ""),
        ("deferred", "deferred", ""),
        ("clicked", "clicked", ""),
        ("unsubscribed", "unsubscribed", "unsubscribed"),
        ("one_of_the_future", "unknown", ""),
    ],
)
def test_an_activity_is_an_event(kind: str, meant: str, reason: str) -> None:
    morph = {"object": "recipient_bounce", "reason": "451 4.7.1 greylisted"}
    [event] = parse(activity(kind, morph=morph))
    assert (event.type.value, event.reason) == (meant, reason)
    assert "greylisted" in event.text


def test_our_keys_come_back_as_tags() -> None:
    tags = ["vdq_attempt:a:b", "receipts", "vdq_", 1]
    [event] = parse(activity("sent", email={"tags": tags}))
    assert event.metadata == {"vdq_attempt": "a:b"}
    assert event.tags == ("receipts", "vdq_")


@pytest.mark.parametrize("kind", ["sender_identity.verified", "maintenance.start", "webhook.test"])
def test_what_is_not_about_a_message_is_no_event(kind: str) -> None:
    assert parse({"type": kind}) == []


def test_a_new_webhook_may_be_tried_by_whoever_knows_its_address() -> None:
    """It is signed with a secret of MailerSend's own."""
    webhook, suite = TestReports().webhook(LOGIN), TestReports()
    trial = suite.sign(request_with({"type": "webhook.test", "message": "hello"}), forged=True)
    assert accept(webhook, with_login(trial)) == []
    with pytest.raises(WebhookRefused):
        accept(webhook, trial)


@pytest.mark.parametrize("content", [[], {}, {"type": 1.5}, {"type": "activity.sent"}, None])
def test_what_is_no_report_is_unreadable(content: Any) -> None:
    with pytest.raises(WebhookUnreadable):
        parse(content)


def test_of_a_message_to_us_no_content_is_kept() -> None:
    raw = "Message-ID: <1@example.com>\r\nSubject: canary\r\n\r\ncanary"
    [event] = parse({"type": "inbound.message", "data": {"raw": raw}})
    assert (event.type.value, event.message_id) == ("inbound", "<1@example.com>")
    assert "canary" not in repr(event)


def test_an_activity_without_an_id_is_told_apart_by_what_is_said() -> None:
    keys = {
        parse(activity("opened", id=None, created_at=at))[0].event_key
        for at in ("2026-09-21T14:13:20Z", "2026-09-21T14:13:21Z")
    }
    assert len(keys) == 2
