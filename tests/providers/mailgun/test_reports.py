"""What Mailgun's reports mean, and whom its webhook believes."""

import hashlib
import hmac
import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, ClassVar, override
from urllib.parse import parse_qsl, urlencode

import pytest
from hypothesis import strategies as st

from app.transports.contract import RawRequest, WebhookRefused, WebhookUnreadable
from app.transports.email.mailgun.config import MailgunConfig
from app.transports.email.mailgun.events import event_of
from app.transports.email.mailgun.seen import MOST, SeenTokens
from app.transports.email.mailgun.webhook import FORM, MailgunWebhook
from app.transports.http.basic_auth import Login
from tests.providers.cases import Reported, reports_of
from tests.providers.mutations import mutated
from tests.providers.report_suite import NOW, ReportSuite, accept

KEY = "a key that was made for tests"


def proof(body: bytes, at: int, key: str) -> dict[str, str]:
    """Another report has another token."""
    token = hashlib.sha256(body).hexdigest()[:50]
    signature = hmac.digest(key.encode(), f"{at}{token}".encode(), "sha256").hex()
    return {"timestamp": str(at), "token": token, "signature": signature}


def sign(request: RawRequest, *, at: int = NOW, key: str = KEY) -> RawRequest:
    given = proof(request.body, at, key)
    if request.headers["content-type"] == FORM:
        fields = parse_qsl(request.body.decode("utf-8", "replace"), keep_blank_values=True)
        ours = [(n, v) for n, v in fields if n not in {"token", "signature"}]
        return replace(request, body=urlencode([*ours, *given.items()]).encode())
    try:
        content = json.loads(request.body)
    except ValueError:
        return request
    if not isinstance(content, dict):
        return request
    return replace(request, body=json.dumps(content | {"signature": given}).encode())


class TestReports(ReportSuite):
    esp: ClassVar[str] = "mailgun"
    covers_body: ClassVar[bool] = False
    tolerance: ClassVar[int | None] = 24 * 3600
    reads_first: ClassVar[bool] = True

    @override
    def webhook(self, *logins: Login, signed: bool = True) -> MailgunWebhook:
        config = MailgunConfig(
            api_key="k",
            domain="mg.example.com",
            webhook_key=KEY if signed else "",
            webhook_logins=logins,
        )
        return MailgunWebhook(config, lambda: NOW)

    @override
    def sign(self, request: RawRequest, *, at: int = NOW, forged: bool = False) -> RawRequest:
        return sign(request, at=at, key="a guess" if forged else KEY)

    @override
    def expected(self, case: dict[str, Any]) -> dict[str, Any]:
        """The captures take a field of the old form for metadata. Its time is its signature's."""
        metadata = {n: v for n, v in case["metadata"].items() if n != "Message-Id"}
        at = case["timestamp"]
        is_form = "." not in at
        at = datetime.fromtimestamp(NOW, UTC).isoformat() if is_form else at
        return super().expected(case | {"metadata": metadata, "timestamp": at})

    @override
    def odd(self, report: Reported) -> st.SearchStrategy[bytes]:
        try:
            content = json.loads(report.body)
        except ValueError:
            return st.binary(max_size=200)
        changed = mutated(content["event-data"])
        return changed.map(lambda one: json.dumps({"event-data": one}).encode())


def report(number: int = 0) -> RawRequest:
    return reports_of("mailgun")[number].values[0].request()


def test_a_signature_that_was_used_for_another_report_is_refused() -> None:
    """Field report 39. A repetition of the same report is none of somebody else's."""
    webhook, signed = TestReports().webhook(), sign(report())
    accept(webhook, signed)
    accept(webhook, signed)
    changed = replace(signed, body=signed.body.replace(b"ada@", b"eve@"))
    with pytest.raises(WebhookRefused):
        accept(webhook, changed)
    accept(webhook, signed)


def test_an_operator_may_be_stricter_about_the_age_of_a_signature() -> None:
    """Field report 39."""
    config = MailgunConfig(
        api_key="k", domain="mg.example.com", webhook_key=KEY, webhook_max_age=300
    )
    webhook = MailgunWebhook(config, lambda: NOW)
    accept(webhook, sign(report(), at=NOW - 300))
    with pytest.raises(WebhookRefused):
        accept(webhook, sign(report(), at=NOW - 360))


def test_tokens_are_forgotten_when_their_signature_is_good_no_more() -> None:
    """Field report 39."""
    seen = SeenTokens(keep=10.0)
    seen.require_new_or_same("a", b"1", now=0.0)
    with pytest.raises(WebhookRefused):
        seen.require_new_or_same("a", b"2", now=10.0)
    seen.require_new_or_same("a", b"2", now=10.1)


def test_tokens_take_a_bounded_place() -> None:
    seen = SeenTokens(keep=1e9)
    for number in range(MOST + 10):
        seen.require_new_or_same(str(number), b"1", now=0.0)
    assert len(seen._seen) == MOST


def test_of_fields_that_are_there_twice_mailguns_own_count() -> None:
    """A variable of a message may be called like a field of the form."""
    [event] = accept(
        TestReports().webhook(),
        sign(replace(report(-1), body=b"event=opened&token=mine&timestamp=1&" + report(-1).body)),
    )
    assert event.type.value == "opened"
    assert event.occurred_at
    assert event.occurred_at.timestamp() == NOW


@pytest.mark.parametrize(
    ("said", "kind", "reason"),
    [
        ({"reason": "suppress-unsubscribe"}, "rejected", "unsubscribed"),
        ({"reason": "suppress-complaint"}, "rejected", "spam"),
        ({"reason": "suppress-bounce"}, "bounced", "bounced"),
        ({"reason": "bounce"}, "bounced", "bounced"),
        ({"reason": "old"}, "bounced", "timed_out"),
        ({"reason": "generic"}, "bounced", "other"),
        ({}, "bounced", "other"),
        ({"reason": "generic", "severity": "temporary"}, "deferred", "other"),
    ],
)
def test_a_failure_has_its_reason(said: dict[str, str], kind: str, reason: str) -> None:
    event = event_of({"event": "failed", "severity": "permanent"} | said)
    assert (event.type.value, event.reason) == (kind, reason)


@pytest.mark.parametrize(
    ("event", "code", "kind", "reason"),
    [
        ("dropped", "607", "rejected", "spam"),
        ("dropped", "499", "rejected", "timed_out"),
        ("dropped", "1", "rejected", "other"),
        ("bounced", "4.2.2", "bounced", "bounced"),
        ("bounced", "", "bounced", "other"),
        ("delivered", "250", "delivered", ""),
        ("complained", "", "complained", ""),
        ("one of the future", "", "unknown", ""),
    ],
)
def test_an_old_form_has_its_reason(event: str, code: str, kind: str, reason: str) -> None:
    body = urlencode({"event": event, "code": code, "recipient": "ada@example.com"}).encode()
    [told] = accept(TestReports().webhook(), sign(replace(report(-1), body=body)))
    assert (told.type.value, told.reason) == (kind, reason)


@pytest.mark.parametrize("body", [b"", b"recipient=a", b"event=", b"\xff=\xfe", b"a&" * 2_000])
def test_a_form_without_an_event_is_no_report(body: bytes) -> None:
    with pytest.raises((WebhookUnreadable, WebhookRefused)):
        accept(TestReports().webhook(), sign(replace(report(-1), body=body)))


def test_the_times_of_two_reports_tell_them_apart() -> None:
    keys = {event_of({"event": "opened", "id": "a", "timestamp": at}).event_key for at in (1, 1.5)}
    assert len(keys) == 2
