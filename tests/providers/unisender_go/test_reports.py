"""What Unisender Go's reports say, and whom its webhook believes."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, ClassVar, override

import pytest
from hypothesis import strategies as st

from app.transports.contract import (
    ProviderEvent,
    RawRequest,
    Webhook,
    WebhookRefused,
    WebhookUnreadable,
)
from app.transports.email.unisender_go.config import UnisenderGoConfig
from app.transports.email.unisender_go.events import EVENTS, REASONS
from app.transports.email.unisender_go.facts import FACTS
from app.transports.email.unisender_go.webhook import UnisenderGoWebhook
from app.transports.http.basic_auth import Login
from tests.providers.cases import Reported, reports_of
from tests.providers.mutations import mutated
from tests.providers.report_suite import LOGIN, NOW, ReportSuite, accept, with_login
from tests.providers.unisender_go.signing import KEY, PREVIOUS, UNSIGNED, signed
from tests.providers.webhooks import posted

DATA: dict[str, Any] = {
    "job_id": "1ZymBc-00041N-9X",
    "metadata": {"vdq_queue_item": "81"},
    "email": "Ada@example.com",
    "status": "delivered",
    "event_time": "2026-09-21 14:13:20",
    "delivery_info": {"delivery_status": "ok", "destination_response": "250 OK"},
}
MEANINGS = {
    "sent": ("sent", ""),
    "delivered": ("delivered", ""),
    "opened": ("opened", ""),
    "clicked": ("clicked", ""),
    "unsubscribed": ("unsubscribed", ""),
    "subscribed": ("subscribed", ""),
    "spam": ("complained", ""),
    "soft_bounced": ("deferred", ""),
    "hard_bounced": ("bounced", "bounced"),
    "of the future": ("unknown", ""),
}


def webhook(*logins: Login, key: str = KEY, **keys: str) -> UnisenderGoWebhook:
    return UnisenderGoWebhook(UnisenderGoConfig(api_key=key, webhook_logins=logins, **keys))


class TestReports(ReportSuite):
    esp: ClassVar[str] = "unisender_go"
    reads_first: ClassVar[bool] = True

    @override
    def webhook(self, *logins: Login, signed: bool = True) -> Webhook:
        """There is always a key: the one that sends."""
        return webhook(*logins, key=KEY if signed else "another-key")

    @override
    def sign(self, request: RawRequest, *, at: int = NOW, forged: bool = False) -> RawRequest:
        return signed(request, "guess" if forged else KEY)

    @override
    def odd(self, report: Reported) -> st.SearchStrategy[bytes]:
        objects = mutated(json.loads(report.body)).filter(lambda one: isinstance(one, dict))
        return objects.map(lambda one: json.dumps(one | {"auth": UNSIGNED}).encode())

    @override
    def test_different_reports_are_different_events(self) -> None:
        """Two of the captured ones say the same in two forms."""
        reports: list[Reported] = [one.values[0] for one in reports_of(self.esp)]
        keys = [e.event_key for r in reports for e in accept(self.route(), self.signed(r))]
        assert len(set(keys)) == len(keys) - 1

    @override
    def test_the_login_is_enough_without_a_key(self, report: Reported) -> None:
        with pytest.raises(WebhookRefused):
            accept(self.webhook(LOGIN, signed=False), with_login(self.signed(report)))

    @override
    def test_any_bytes_are_read_or_unreadable(self) -> None:
        """What has no place for a signature is refused before it is read."""
        for body in (b"", b"\xff", b"[]", b"{}", b'{"auth": 5}', b"[" * 9999):
            with pytest.raises(WebhookRefused):
                accept(self.route(), posted(body))


def post(content: dict[str, Any]) -> RawRequest:
    return signed(posted(json.dumps({"auth": UNSIGNED, **content}).encode()))


def batch(*events: Any) -> dict[str, Any]:
    return {"events_by_user": [{"user_id": 11, "events": list(events)}]}


def about(**changes: Any) -> dict[str, Any]:
    return {"event_name": "transactional_email_status", "event_data": DATA | changes}


def read(**changes: Any) -> ProviderEvent:
    [event] = accept(webhook(), post(batch(about(**changes))))
    return event


@pytest.mark.parametrize(("name", "meant"), MEANINGS.items())
def test_each_event_has_its_type_and_reason(name: str, meant: tuple[str, str]) -> None:
    event = read(status=name, delivery_info=None)
    assert (event.type.value, event.reason, event.status) == (*meant, name)


def test_every_event_of_the_table_is_tested() -> None:
    assert set(EVENTS) < set(MEANINGS)


@pytest.mark.parametrize(
    ("delivery_status", "reason"),
    [*REASONS.items(), ("err_of_the_future", "other"), ("of the future", "bounced")],
)
def test_each_delivery_status_has_its_reason(delivery_status: str, reason: str) -> None:
    info = {"delivery_status": delivery_status, "destination_response": "550 no such user"}
    event = read(status="hard_bounced", delivery_info=info)
    assert (event.reason, event.code) == (reason, delivery_status)
    assert event.text == "Unisender Go: 550 no such user"


def test_the_id_is_the_jobs_unless_the_metadata_hold_another() -> None:
    assert read().message_id == "1ZymBc-00041N-9X"
    event = read(metadata={"anymail_id": "u1", "a": "b"})
    assert (event.message_id, event.metadata) == ("u1", {"a": "b"})


def test_one_event_alone_says_the_same_as_in_a_batch() -> None:
    alone = {"event_name": "transactional_email_status", "user_id": 11, **DATA}
    [event] = accept(webhook(), post(alone))
    assert event == read()


def test_a_stored_report_can_be_read_again() -> None:
    event = read()
    [again] = webhook().parse(posted(json.dumps(dict(event.raw)).encode()))
    assert again == event


def test_neither_the_account_nor_the_signature_is_stored() -> None:
    alone = {"event_name": "transactional_email_status", "user_id": 11, **DATA}
    [event] = accept(webhook(), post(alone))
    assert not {"auth", "user_id"} & set(event.raw)


def test_one_bad_event_is_kept_and_does_not_spoil_the_batch() -> None:
    """Field reports 34 and 41."""
    odd = [
        "x",
        None,
        {},
        {"event_name": "transactional_email_status", "event_data": []},
        about(status=None),
    ]
    domain = {"event_name": "transactional_spam_block", "event_data": DATA}
    content = batch(*odd, about(), domain, *odd, about(status="opened"))
    content["events_by_user"] += ["x", None, {"events": 5}]
    kept = ["unreadable"] * len(odd)
    read = [one.status for one in accept(webhook(), post(content))]
    assert read == [*kept, "delivered", *kept, "opened"]


@pytest.mark.parametrize(
    "changes",
    [
        {"event_time": "2026-09-21 15:00:00"},
        {"job_id": "2"},
        {"email": "bob@example.com"},
        {"url": "https://example.com/b"},
        {"delivery_info": {"delivery_status": "err_lost"}},
    ],
)
def test_what_is_said_tells_events_apart(changes: dict[str, Any]) -> None:
    assert read(**changes).event_key != read().event_key


def test_times_are_utc() -> None:
    assert read().occurred_at == datetime(2026, 9, 21, 14, 13, 20, tzinfo=UTC)
    assert read(event_time="soon").occurred_at is None


@pytest.mark.parametrize("content", [{}, {"events_by_user": 5}, {"event_name": ""}])
def test_what_holds_no_events_is_unreadable(content: dict[str, Any]) -> None:
    with pytest.raises(WebhookUnreadable):
        accept(webhook(), post(content))


# --- whom it believes


def test_two_keys_are_believed_while_one_is_changed() -> None:
    request = posted(json.dumps({"auth": UNSIGNED, **batch(about())}).encode())
    for key in (KEY, PREVIOUS):
        assert accept(webhook(previous_api_key=PREVIOUS), signed(request, key))
    with pytest.raises(WebhookRefused):
        accept(webhook(), signed(request, PREVIOUS))


def test_reports_may_be_signed_by_another_key_than_the_one_that_sends() -> None:
    request = posted(json.dumps({"auth": UNSIGNED, **batch(about())}).encode())
    assert accept(webhook(webhook_key="project-key"), signed(request, "project-key"))
    with pytest.raises(WebhookRefused):
        accept(webhook(webhook_key="project-key"), signed(request, KEY))


@pytest.mark.parametrize("auth", [b"", b"x", b"0" * 31, KEY.encode(), b"0" * 32])
def test_what_is_no_signature_is_refused(auth: bytes) -> None:
    request = post(batch(about()))
    body = request.body.replace(json.loads(request.body)["auth"].encode(), auth)
    with pytest.raises(WebhookRefused):
        accept(webhook(), replace(request, body=body))


def test_a_signature_that_stands_twice_is_refused() -> None:
    request = post(batch(about()))
    auth = json.loads(request.body)["auth"]
    body = json.dumps({**json.loads(request.body), "again": auth}).encode()
    with pytest.raises(WebhookRefused):
        accept(webhook(), replace(request, body=body))


def test_the_same_content_in_another_spelling_is_refused() -> None:
    """Field report 36."""
    request = post(batch(about()))
    body = json.dumps(json.loads(request.body), separators=(",", ":")).encode()
    with pytest.raises(WebhookRefused):
        accept(webhook(), replace(request, body=body))


def test_the_facts_say_that_it_signs() -> None:
    assert FACTS.signs_webhooks
