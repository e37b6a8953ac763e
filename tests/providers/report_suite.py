"""What every provider's webhook must show: it believes its provider, nobody else, and never breaks.

A provider joins with a subclass of :class:`ReportSuite` that names ``esp`` (its captured reports in
``tests/cases``), makes its webhook and signs a request as the provider would.
"""

import base64
import json
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.models import storable
from app.transports.contract import (
    ProviderEvent,
    RawRequest,
    Report,
    Webhook,
    WebhookRefused,
    WebhookUnreadable,
)
from app.transports.http.basic_auth import Login
from app.transports.stored_reports import read_stored
from tests.providers.cases import Reported, meaning, reports_of
from tests.providers.mutations import mutated

NOW = 1_790_000_100
"""The clock of every webhook here: a little after the captured reports."""

LOGIN = Login("hooks", "t6Xn0c-RPb3Ew0mHq5VjA9sKzLyG2dUoNf8iWvB4eTk")


def with_login(request: RawRequest, password: str = LOGIN.password) -> RawRequest:
    """As a provider calls an address that has a user and a password in it."""
    encoded = base64.b64encode(f"{LOGIN.user}:{password}".encode()).decode()
    return replace(request, headers={**request.headers, "authorization": f"Basic {encoded}"})


def accept(webhook: Webhook, request: RawRequest) -> list[ProviderEvent]:
    """What the route does with a request."""
    webhook.authenticate(request)
    return webhook.parse(request)


class ReportSuite:
    """Subclassed once a provider. ``tolerance``: seconds for which a signature is good; ``None``
    where it says no time."""

    esp: ClassVar[str]
    signs: ClassVar[bool] = True
    covers_body: ClassVar[bool] = True
    tolerance: ClassVar[int | None] = None
    reads_first: ClassVar[bool] = False
    """Whether the signature stands in the body, so that odd ones are refused rather than read."""

    def webhook(self, *logins: Login, signed: bool = True) -> Webhook:
        """With the key of :meth:`sign` if ``signed``, and with these logins."""
        raise NotImplementedError

    def sign(self, request: RawRequest, *, at: int = NOW, forged: bool = False) -> RawRequest:
        """As the provider signs at that time; ``forged``: as somebody who guesses the key."""
        raise NotImplementedError

    def signed(self, report: Reported, body: bytes | None = None) -> RawRequest:
        request = report.request(body)
        return self.sign(request) if self.signs else with_login(request)

    def route(self) -> Webhook:
        return self.webhook() if self.signs else self.webhook(LOGIN)

    # --- what a report means

    def test_a_report_means_what_it_says(self, report: Reported) -> None:
        events = accept(self.route(), self.signed(report))

        assert meaning(events) == [self.expected(one) for one in report.events]

    def expected(self, case: dict[str, Any]) -> dict[str, Any]:
        """A captured event in the same words: metadata are texts here."""
        at = case.get("timestamp")
        return {
            "event_type": case["event_type"],
            "message_id": case["message_id"],
            "recipient": (case["recipient"] or "").lower(),
            "reject_reason": case.get("reject_reason") or "",
            "metadata": {n: str(v) for n, v in (case.get("metadata") or {}).items()},
            "timestamp": datetime.fromisoformat(at) if at else None,
            "tags": [tag for tag in case.get("tags") or [] if tag],
        }

    def test_a_report_that_comes_again_is_the_same_event(self, report: Reported) -> None:
        webhook = self.route()
        first = accept(webhook, self.signed(report))
        again = accept(webhook, self.signed(report))

        assert [one.event_key for one in first] == [one.event_key for one in again]
        assert len({one.event_key for one in first}) == len(first)

    def test_different_reports_are_different_events(self) -> None:
        reports: list[Reported] = [one.values[0] for one in reports_of(self.esp)]
        keys = [e.event_key for r in reports for e in accept(self.route(), self.signed(r))]

        assert len(set(keys)) == len(keys)

    def test_what_is_stored_of_a_report_can_be_stored(self, report: Reported) -> None:
        for event in accept(self.route(), self.signed(report)):
            require_storable(event)

    def test_what_is_stored_of_a_report_can_be_read_again(self, report: Reported) -> None:
        """A better parser must be able to look at what an earlier one stored."""
        for event in accept(self.route(), self.signed(report)):
            if event.report is Report.NOTED:
                continue
            raw = json.loads(storable.to_json(event.raw))
            again = read_stored(self.webhook(signed=self.signs), raw, event.message_id)
            assert [one.event_key for one in again] == [event.event_key]

    # --- whom it believes

    def test_an_unsigned_report_is_refused(self, report: Reported) -> None:
        with pytest.raises(WebhookRefused):
            accept(self.route(), without_signature(report))

    def test_a_report_signed_by_somebody_else_is_refused(self, report: Reported) -> None:
        request = report.request()
        forged = self.sign(request, forged=True) if self.signs else with_login(request, "guess")
        with pytest.raises(WebhookRefused):
            accept(self.route(), forged)

    def test_a_changed_report_is_refused(self, report: Reported) -> None:
        if not (self.signs and self.covers_body):
            pytest.skip("the provider's signature does not cover the body")
        request = self.signed(report)
        with pytest.raises(WebhookRefused):
            accept(self.route(), replace(request, body=self.tamper(request.body)))

    def tamper(self, body: bytes) -> bytes:
        return body + b" "

    def test_a_signature_is_good_for_its_time_only(self, report: Reported) -> None:
        if self.tolerance is None:
            pytest.skip("the provider's signature says no time")
        for off in (-self.tolerance, self.tolerance):
            accept(self.route(), self.sign(report.request(), at=NOW + off))
            beyond = NOW + off + (1 if off > 0 else -1)
            with pytest.raises(WebhookRefused):
                accept(self.route(), self.sign(report.request(), at=beyond))

    def test_the_login_is_wanted_as_well_where_there_is_one(self, report: Reported) -> None:
        webhook = self.webhook(LOGIN)
        request = self.signed(report)

        accept(webhook, with_login(request))
        for wrong in (with_login(request, "guess"), strip(request, "authorization")):
            with pytest.raises(WebhookRefused):
                accept(webhook, wrong)

    def test_the_login_is_enough_without_a_key(self, report: Reported) -> None:
        webhook = self.webhook(LOGIN, signed=False)

        accept(webhook, with_login(report.request()))
        with pytest.raises(WebhookRefused):
            accept(webhook, report.request())

    def test_nobody_is_believed_without_any_secret(self, report: Reported) -> None:
        with pytest.raises(WebhookRefused):
            accept(self.webhook(signed=False), self.signed(report))

    # --- what it survives

    @settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def test_an_odd_report_is_read_or_unreadable(self, data: st.DataObject) -> None:
        """Field report 41."""
        reports: list[Reported] = [one.values[0] for one in reports_of(self.esp)]
        report = data.draw(st.sampled_from(reports))
        body = data.draw(self.odd(report))
        try:
            events = accept(self.route(), self.signed(report, body))
        except self.refusals():
            return
        for event in events:
            require_storable(event)

    def refusals(self) -> tuple[type[Exception], ...]:
        return (WebhookUnreadable, *((WebhookRefused,) if self.reads_first else ()))

    def odd(self, report: Reported) -> st.SearchStrategy[bytes]:
        try:
            content = json.loads(report.body)
        except ValueError:
            return st.binary(max_size=200)
        return mutated(content).map(lambda one: json.dumps(one).encode())

    @settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.binary(max_size=200))
    def test_any_bytes_are_read_or_unreadable(self, body: bytes) -> None:
        report: Reported = reports_of(self.esp)[0].values[0]
        with suppress(*self.refusals()):
            accept(self.route(), self.signed(report, body))

    @settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.dictionaries(st.text(max_size=30), st.text(max_size=60), max_size=4))
    def test_any_headers_are_refused(self, headers: dict[str, str]) -> None:
        report: Reported = reports_of(self.esp)[0].values[0]
        known = dict.fromkeys(self.signed(report).headers, "ü")
        for given_headers in (headers, known, known | headers):
            request = replace(report.request(), headers=given_headers)
            with pytest.raises((WebhookRefused, WebhookUnreadable)):
                accept(self.route(), request)


def require_storable(event: ProviderEvent) -> None:
    """All of it fits into the columns of a report."""
    assert event.event_key
    assert len(event.status) <= 200
    texts = (event.event_key, event.status, event.message_id or "", event.recipient, event.code)
    for text in (*texts, event.text, event.reason, *event.tags, *event.metadata.values()):
        text.encode()
        assert "\0" not in text
    assert len(event.text) <= 2_000
    storable.to_json(event.raw)


def strip(request: RawRequest, *names: str) -> RawRequest:
    return replace(request, headers={n: v for n, v in request.headers.items() if n not in names})


def without_signature(report: Reported) -> RawRequest:
    """The captured signatures are by keys that nobody knows here."""
    return replace(report.request(), headers={"content-type": report.content_type})
