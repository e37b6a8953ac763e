"""What Mailjet's reports mean, and whom its webhook believes."""

import json
from typing import Any, ClassVar, override

import pytest

from app.transports.contract import WebhookUnreadable
from app.transports.email.mailjet.config import MailjetConfig
from app.transports.email.mailjet.events import REASONS, event_of
from app.transports.email.mailjet.webhook import MailjetWebhook
from app.transports.http.basic_auth import Login
from tests.providers.cases import Reported
from tests.providers.report_suite import LOGIN, ReportSuite, accept, with_login


class TestReports(ReportSuite):
    esp: ClassVar[str] = "mailjet"
    signs: ClassVar[bool] = False

    @override
    def webhook(self, *logins: Login, signed: bool = True) -> MailjetWebhook:
        config = MailjetConfig(api_key="k", secret_key="s", webhook_logins=logins)
        return MailjetWebhook(config)


def parse(content: Any) -> list[str]:
    report = Reported("application/json", {}, json.dumps(content).encode(), [])
    events = accept(TestReports().webhook(LOGIN), with_login(report.request()))
    return [event.status for event in events]


def test_one_odd_report_is_kept_and_loses_no_other() -> None:
    """Field report 34."""
    odd: list[Any] = [None, 1, "open", [], {}, {"event": None}, {"event": ["open"]}]
    read = parse([{"event": "open"}, *odd, {"event": "click"}])
    assert read == ["open", *["unreadable"] * len(odd), "click"]


def test_an_empty_list_reports_nothing() -> None:
    assert parse([]) == []


def test_a_report_may_come_alone() -> None:
    assert parse({"event": "sent"}) == ["sent"]


@pytest.mark.parametrize("content", [{}, {"event": 1.5}, [1], [{}], "open", None])
def test_what_has_no_report_is_unreadable(content: Any) -> None:
    with pytest.raises(WebhookUnreadable):
        parse(content)


@pytest.mark.parametrize("error", [*REASONS, "one of the future"])
@pytest.mark.parametrize("event", ["bounce", "blocked"])
def test_a_refusal_has_its_reason(event: str, error: str) -> None:
    told = event_of({"event": event, "error": error.title()})
    assert told.type.value == {"bounce": "bounced", "blocked": "rejected"}[event]
    assert told.reason == REASONS.get(error, "other")


def test_a_hard_bounce_is_one_whatever_it_is_called() -> None:
    told = event_of({"event": "bounce", "error": "greylisted", "hard_bounce": True})
    assert told.type.value == "bounced"


@pytest.mark.parametrize("payload", ["", "no JSON", "[1]", '{"a": null}', 5, None])
def test_a_payload_that_is_not_ours_is_no_metadata(payload: Any) -> None:
    assert event_of({"event": "sent", "Payload": payload}).metadata == {}


def test_a_big_number_stays_what_it_is() -> None:
    assert event_of({"event": "sent", "MessageID": 2**63 - 1}).message_id == str(2**63 - 1)


def test_what_can_happen_twice_is_told_apart_by_its_time() -> None:
    said = {"MessageID": 1, "email": "ada@example.com"}
    for name, many in (("open", 2), ("sent", 1)):
        keys = {event_of({"event": name, "time": at, **said}).event_key for at in (1, 2)}
        assert len(keys) == many
