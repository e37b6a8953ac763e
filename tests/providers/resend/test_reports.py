"""What Resend's reports mean, and whom its webhook believes."""

import base64
import hashlib
import hmac
from dataclasses import replace
from typing import ClassVar, override

import pytest

from app.transports.contract import RawRequest, WebhookRefused
from app.transports.email.resend.config import ResendConfig
from app.transports.email.resend.events import event_of
from app.transports.email.resend.webhook import ResendWebhook
from app.transports.http.basic_auth import Login
from tests.providers.cases import reports_of
from tests.providers.report_suite import NOW, ReportSuite

SECRET = b"a key that was made for tests"
PREVIOUS = b"the key before that one"


def written(secret: bytes) -> str:
    return f"whsec_{base64.b64encode(secret).decode()}"


def signature(secret: bytes, message_id: str, at: str, body: bytes) -> str:
    digest = hmac.digest(secret, f"{message_id}.{at}.".encode() + body, hashlib.sha256)
    return f"v1,{base64.b64encode(digest).decode()}"


class TestReports(ReportSuite):
    esp: ClassVar[str] = "resend"
    tolerance: ClassVar[int | None] = 300

    @override
    def webhook(self, *logins: Login, signed: bool = True) -> ResendWebhook:
        secret = written(SECRET) if signed else ""
        config = ResendConfig(api_key="k", webhook_secret=secret, webhook_logins=logins)
        return ResendWebhook(config, lambda: NOW)

    @override
    def sign(self, request: RawRequest, *, at: int = NOW, forged: bool = False) -> RawRequest:
        secret = b"a guess" if forged else SECRET
        signed = {
            "svix-timestamp": str(at),
            "svix-signature": signature(secret, request.headers["svix-id"], str(at), request.body),
        }
        return replace(request, headers={**request.headers, **signed})


def delivered() -> RawRequest:
    return reports_of("resend")[0].values[0].request()


def test_a_signature_by_one_of_two_keys_is_enough_while_the_secret_is_changed() -> None:
    config = ResendConfig(
        api_key="k", webhook_secret=written(SECRET), previous_webhook_secret=written(PREVIOUS)
    )
    for secret in (SECRET, PREVIOUS):
        request = delivered()
        good = signature(secret, "msg_1", str(NOW), request.body)
        headers = {
            "webhook-id": "msg_1",
            "webhook-timestamp": str(NOW),
            "webhook-signature": f"v1a,zzz v1,bm8= {good}",
        }
        ResendWebhook(config, lambda: NOW).authenticate(replace(request, headers=headers))


def test_a_signature_of_another_version_is_none() -> None:
    request = TestReports().sign(delivered())
    other = request.headers["svix-signature"].replace("v1,", "v2,")
    changed = replace(request, headers={**request.headers, "svix-signature": other})
    with pytest.raises(WebhookRefused):
        TestReports().webhook().authenticate(changed)


def test_a_message_is_delivered_once_whatever_time_is_told() -> None:
    data = {"email_id": "1", "to": ["Ada <ada@example.com>"]}
    first = event_of(
        {"type": "email.delivered", "created_at": "2026-09-21T14:13:20Z", "data": data}
    )
    again = event_of({"type": "email.delivered", "data": data})
    assert first.event_key == again.event_key


def test_opens_at_different_times_are_different_events() -> None:
    data = {"email_id": "1", "to": ["ada@example.com"]}
    keys = {
        event_of({"type": "email.opened", "created_at": at, "data": data}).event_key
        for at in ("2026-09-21T14:13:20Z", "2026-09-21T14:13:21Z")
    }
    assert len(keys) == 2


def test_keys_come_back_as_tags_where_the_headers_are_missing() -> None:
    data = {"tags": {"vdq_attempt": "b", "item": "81"}, "headers": "gone"}
    assert event_of({"type": "email.sent", "data": data}).metadata == {"vdq_attempt": "b"}


def test_of_a_message_to_us_no_content_is_kept() -> None:
    event = event_of({"type": "email.received", "data": {"email_id": "1", "subject": "canary"}})
    assert event.type.value == "inbound"
    assert "canary" not in repr(event)
