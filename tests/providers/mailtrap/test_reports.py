"""What Mailtrap's reports mean, and whom its webhook believes."""

import hmac
import json
from dataclasses import replace
from typing import Any, ClassVar, override

import pytest

from app.transports.contract import RawRequest, WebhookUnreadable
from app.transports.email.mailtrap.config import MailtrapConfig
from app.transports.email.mailtrap.events import EVENTS, event_of
from app.transports.email.mailtrap.webhook import MailtrapWebhook
from app.transports.http.basic_auth import Login
from tests.providers.cases import Reported
from tests.providers.report_suite import NOW, ReportSuite, accept

SECRET = "a secret that was made for tests"


class TestReports(ReportSuite):
    esp: ClassVar[str] = "mailtrap"

    @override
    def webhook(self, *logins: Login, signed: bool = True) -> MailtrapWebhook:
        secret = SECRET if signed else ""
        config = MailtrapConfig(api_token="t", webhook_secret=secret, webhook_logins=logins)
        return MailtrapWebhook(config)

    @override
    def sign(self, request: RawRequest, *, at: int = NOW, forged: bool = False) -> RawRequest:
        secret = "a guess" if forged else SECRET
        signature = hmac.digest(secret.encode(), request.body, "sha256").hex()
        return replace(request, headers={**request.headers, "mailtrap-signature": signature})


def parse(body: bytes) -> list[str]:
    suite = TestReports()
    request = suite.sign(Reported("application/json", {}, body, []).request())
    return [event.status for event in accept(suite.webhook(), request)]


ODD: list[Any] = [None, 1, "open", [], {}, {"event": None}, {"event": ["open"]}]


def test_one_odd_report_is_kept_and_loses_no_other() -> None:
    """Field report 34."""
    events = [{"event": "open"}, *ODD, {"event": "click"}]
    read = parse(json.dumps({"events": events}).encode())
    assert read == ["open", *["unreadable"] * len(ODD), "click"]


def test_reports_may_be_lines() -> None:
    lines = [json.dumps(one) for one in ({"event": "open"}, *ODD, {"event": "click"})]
    body = "\r\n".join([*lines, "{no JSON", ""]).encode()
    assert parse(body) == ["open", *["unreadable"] * len(ODD), "click", "unreadable"]


def test_one_line_is_one_report() -> None:
    assert parse(b'{"event": "delivery"}\n') == ["delivery"]


def test_an_empty_list_reports_nothing() -> None:
    assert parse(b'{"events": []}') == []


@pytest.mark.parametrize("body", [b"", b"\n", b"[]", b"{}", b'{"events": 1}', b'{"events": [1]}'])
def test_what_has_no_report_is_unreadable(body: bytes) -> None:
    with pytest.raises(WebhookUnreadable):
        parse(body)


@pytest.mark.parametrize("name", EVENTS)
def test_each_event_is_what_the_table_says(name: str) -> None:
    event = event_of({"event": name})
    assert (event.type, event.reason) == EVENTS[name]


def test_a_soft_bounce_is_written_in_two_ways() -> None:
    assert event_of({"event": "soft_bounce"}).type.value == "deferred"


def test_a_report_of_the_future_is_kept() -> None:
    assert event_of({"event": "new"}).type.value == "unknown"


def test_without_an_id_a_report_is_told_apart_by_what_is_said() -> None:
    keys = {event_of({"event": "open", "timestamp": at}).event_key for at in (1, 1.5)}
    assert len(keys) == 2
