"""What Mandrill's reports say, and whom its webhook believes."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, ClassVar, override
from urllib.parse import parse_qs, urlencode

import pytest
from hypothesis import strategies as st

from app.transports.contract import (
    ProviderEvent,
    RawRequest,
    Report,
    Webhook,
    WebhookRefused,
    WebhookUnreadable,
)
from app.transports.email.mandrill.config import MandrillConfig
from app.transports.email.mandrill.events import BOUNCES, EVENTS
from app.transports.email.mandrill.facts import FACTS
from app.transports.email.mandrill.signature import read_form, sign
from app.transports.email.mandrill.webhook import MandrillWebhook
from app.transports.http.basic_auth import Login
from tests.providers.cases import Reported
from tests.providers.mutations import mutated
from tests.providers.report_suite import LOGIN, NOW, ReportSuite, accept, with_login
from tests.providers.webhooks import posted

KEY, PREVIOUS = "canary-webhook-key", "canary-key-before-that"
FORM = "application/x-www-form-urlencoded"
EVENT: dict[str, Any] = {
    "event": "send",
    "_id": "m1",
    "ts": 1790000000,
    "msg": {
        "_id": "m1",
        "email": "Ada@example.com",
        "tags": ["receipts"],
        "metadata": {"vdq_queue_item": "81", "attempt": 1},
    },
}
MEANINGS = {
    "send": ("sent", ""),
    "delivered": ("delivered", ""),
    "deferral": ("deferred", ""),
    "hard_bounce": ("bounced", "bounced"),
    "soft_bounce": ("bounced", "bounced"),
    "reject": ("rejected", "blocked"),
    "spam": ("complained", "spam"),
    "unsub": ("unsubscribed", "unsubscribed"),
    "open": ("opened", ""),
    "click": ("clicked", ""),
    "inbound": ("inbound", ""),
    "of the future": ("unknown", ""),
}


def webhook(*logins: Login, key: str = KEY, previous: str = "") -> MandrillWebhook:
    config = MandrillConfig(
        api_key="k", webhook_key=key, previous_webhook_key=previous, webhook_logins=logins
    )
    return MandrillWebhook(config)


def signed(request: RawRequest, key: str = KEY, url: str = "") -> RawRequest:
    signature = sign(key, url or request.urls[0], read_form(request.body)).decode()
    return replace(request, headers={**request.headers, "x-mandrill-signature": signature})


def form(events: Any) -> RawRequest:
    return posted(urlencode({"mandrill_events": json.dumps(events)}).encode(), FORM)


class TestReports(ReportSuite):
    esp: ClassVar[str] = "mandrill"

    @override
    def webhook(self, *logins: Login, signed: bool = True) -> Webhook:
        return webhook(*logins, key=KEY if signed else "")

    @override
    def sign(self, request: RawRequest, *, at: int = NOW, forged: bool = False) -> RawRequest:
        return signed(request, "guess" if forged else KEY)

    @override
    def test_a_changed_report_is_refused(self, report: Reported) -> None:
        request = self.signed(report)
        for body in (request.body.replace(b"events", b"event"), request.body + b"&a=b"):
            with pytest.raises(WebhookRefused):
                accept(self.route(), replace(request, body=body))

    @override
    def odd(self, report: Reported) -> st.SearchStrategy[bytes]:
        [events] = parse_qs(report.body.decode())["mandrill_events"]
        return mutated(json.loads(events)).map(lambda one: form(one).body)


def read(**changes: Any) -> ProviderEvent:
    [event] = accept(webhook(), signed(form([EVENT | changes])))
    return event


def of_message(name: str, **fields: Any) -> ProviderEvent:
    return read(event=name, msg=EVENT["msg"] | fields)


@pytest.mark.parametrize(("name", "meant"), MEANINGS.items())
def test_each_event_has_its_type_and_reason(name: str, meant: tuple[str, str]) -> None:
    event = read(event=name)
    assert (event.type.value, event.reason, event.status) == (*meant, name)


def test_every_event_of_the_table_is_tested() -> None:
    assert set(EVENTS) < set(MEANINGS)


@pytest.mark.parametrize(("kind", "reason"), [*BOUNCES.items(), ("of the future", "bounced")])
def test_each_bounce_has_its_reason(kind: str, reason: str) -> None:
    event = of_message("hard_bounce", bounce_description=kind, diag="smtp;550 5.1.1 no such user")
    assert (event.reason, event.code) == (reason, kind)
    assert event.text == "Mandrill: smtp;550 5.1.1 no such user"


def test_a_change_of_the_accounts_lists_is_noted() -> None:
    entry = {"email": "ada@example.com", "reason": "hard-bounce", "detail": "550 no such user"}
    changed = {"type": "blacklist", "action": "add", "ts": 1790000000, "reject": entry}
    [event] = accept(webhook(), signed(form([changed])))
    assert (event.type.value, event.status) == ("unknown", "blacklist/add")
    assert (event.message_id, event.recipient) == (None, "ada@example.com")
    assert event.occurred_at == datetime(2026, 9, 21, 14, 13, 20, tzinfo=UTC)


def test_a_message_to_us_is_noted_without_its_content() -> None:
    raw = "Subject: Re\r\nMessage-ID: <x1@example.com>\r\n\r\na canary"
    event = read(event="inbound", msg={"email": "reply@example.com", "raw_msg": raw})
    assert (event.message_id, event.recipient) == ("<x1@example.com>", "reply@example.com")
    assert "canary" not in repr(event)


def test_one_bad_event_is_kept_and_does_not_spoil_the_batch() -> None:
    """Field report 34."""
    batch = [EVENT, "no event", None, {"event": 1.5}, EVENT | {"event": "open", "_id": "m2"}]
    events = accept(webhook(), signed(form(batch)))
    assert [event.status for event in events] == ["send", *["unreadable"] * 3, "open"]
    assert events[1].raw == {"report": "no event"}
    assert {event.report for event in events[1:4]} == {Report.NOTED}


def test_what_happens_once_is_one_event_and_what_happens_often_is_several() -> None:
    assert read(ts=1790000009).event_key == read().event_key
    first, later = read(event="open"), read(event="open", ts=1790000009)
    assert first.event_key != later.event_key
    assert read(_id="m2").event_key != read().event_key


# --- whom it believes


def test_two_keys_are_believed_while_one_is_changed() -> None:
    changing = webhook(previous=PREVIOUS)
    for key in (KEY, PREVIOUS):
        accept(changing, signed(form([EVENT]), key))
    with pytest.raises(WebhookRefused):
        accept(webhook(), signed(form([EVENT]), PREVIOUS))


@pytest.mark.parametrize("password", [LOGIN.password, "p@ss/wörd:1"])
def test_the_address_is_signed_with_the_login_in_it(password: str) -> None:
    """Field report 36."""
    login = Login("hooks", password)
    quoted = password.replace("@", "%40").replace("/", "%2F").replace("ö", "%C3%B6")
    for written in (password, quoted.replace(":", "%3A")):
        url = f"https://hooks:{written}@hooks.example.com/webhooks/email/x"
        request = with_login(signed(form([EVENT]), url=url), password)
        accept(webhook(login), request)


@pytest.mark.parametrize(
    "url",
    [
        "https://hooks.example.com/webhooks/email/x?x=1",
        "https://hooks.example.com/webhooks/email/x/",
        "http://hooks.example.com/webhooks/email/x",
        "https://evil.example.com/webhooks/email/x",
    ],
)
def test_what_was_signed_for_another_address_is_refused(url: str) -> None:
    with pytest.raises(WebhookRefused):
        accept(webhook(), signed(form([EVENT]), url=url))


def test_every_address_is_believed_while_we_move() -> None:
    old = "https://old.example.com/webhooks/email/x"
    request = replace(form([EVENT]), urls=("https://new.example.com/webhooks/email/x", old))
    assert accept(webhook(), signed(request, url=old))


def test_the_test_before_there_is_a_key_is_answered_and_says_nothing() -> None:
    assert accept(webhook(), signed(form([]), "test-webhook")) == []
    with pytest.raises(WebhookRefused):
        accept(webhook(), signed(form([EVENT]), "test-webhook"))


@pytest.mark.parametrize("body", [b"", b"mandrill_events=", b"mandrill_events={}", b"a=b", b"[]"])
def test_what_is_no_list_of_events_is_unreadable(body: bytes) -> None:
    with pytest.raises(WebhookUnreadable):
        accept(webhook(), signed(posted(body, FORM)))


def test_the_facts_say_that_it_signs() -> None:
    assert FACTS.signs_webhooks
