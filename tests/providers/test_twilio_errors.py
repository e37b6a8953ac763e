"""Twilio's error answers, by code and by status."""

import pytest

from app.transports.contract import (
    Outcome,
    Rejected,
    RejectKind,
    TryLater,
    Unknown,
)
from app.transports.sms.twilio import TwilioTransport
from app.transports.sms.twilio_codes import classify
from app.transports.sms.twilio_facts import FACTS
from tests.fakes import twilio_faults as faults
from tests.fakes.twilio import FakeTwilio
from tests.fakes.twilio_faults import Fault
from tests.fakes.twilio_given import RECEIVER, an_sms, config_for, go


async def outcome_of(*answers: Fault) -> Outcome:
    async with FakeTwilio() as twilio:
        twilio.next_creates = list(answers)
        transport = TwilioTransport(config_for(twilio))
        outcome = await transport.send(an_sms(), go)
        await transport.close()
        assert twilio.requests["create"] == 1
    return outcome


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (400, 21211, RejectKind.REJECTED),
        (400, 21408, RejectKind.REJECTED),
        (400, 21612, RejectKind.REJECTED),
        (400, 21614, RejectKind.REJECTED),
        (400, 21602, RejectKind.REJECTED),
        (400, 21617, RejectKind.REJECTED),
        (400, 21620, RejectKind.REJECTED),
        (400, 21610, RejectKind.OPTED_OUT),
        (400, 21212, RejectKind.CONFIGURATION),
        (400, 21606, RejectKind.CONFIGURATION),
        (400, 21608, RejectKind.CONFIGURATION),
        (400, 21659, RejectKind.CONFIGURATION),
        (400, 21703, RejectKind.CONFIGURATION),
        (401, 20003, RejectKind.CONFIGURATION),
        (403, 20005, RejectKind.CONFIGURATION),
        (404, 20404, RejectKind.CONFIGURATION),
        (400, 39999, RejectKind.REJECTED),
        (403, 39999, RejectKind.CONFIGURATION),
    ],
)
async def test_refusal_names_its_code_kind_and_page(
    status: int, code: int, kind: RejectKind
) -> None:
    """Field report 71."""
    outcome = await outcome_of(faults.error(code, status))
    assert isinstance(outcome, Rejected)
    assert (outcome.code, outcome.kind) == (str(code), kind)
    assert f"https://www.twilio.com/docs/errors/{code}" in outcome.text


@pytest.mark.parametrize(
    ("status", "code"),
    [(429, 20429), (429, 63038), (400, 21611), (408, 20408)],
)
async def test_what_twilio_surely_did_not_take_is_tried_later(status: int, code: int) -> None:
    """Field report 71."""
    outcome = await outcome_of(faults.error(code, status))
    assert isinstance(outcome, TryLater)
    assert (outcome.code, outcome.retry_after) == (str(code), None)
    assert not outcome.may_have_been_sent


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("30001", "try_later"),
        ("30002", "configuration"),
        ("30003", "rejected"),
        ("30004", "rejected"),
        ("30005", "rejected"),
        ("30006", "rejected"),
        ("30007", "rejected"),
        ("30008", "rejected"),
        ("30022", "try_later"),
        ("30034", "configuration"),
    ],
)
def test_codes_of_reports_have_a_class(code: str, kind: str) -> None:
    """Field report 71."""
    assert classify(400, code) == kind


async def test_retry_after_is_obeyed() -> None:
    """Field report 71."""
    outcome = await outcome_of(faults.error(20429, 429, headers={"Retry-After": "37"}))
    assert isinstance(outcome, TryLater)
    assert outcome.retry_after == 37


async def test_retry_after_of_a_proxy_is_obeyed() -> None:
    outcome = await outcome_of(faults.http(429, "slow down", headers={"Retry-After": "5"}))
    assert isinstance(outcome, TryLater)
    assert (outcome.code, outcome.retry_after) == ("http_429", 5)


@pytest.mark.parametrize(
    "answer",
    [
        faults.error(20500, 500),
        faults.error(20503, 503, headers={"Retry-After": "1"}),
        faults.error(21211, 500),
        faults.http(502, "<html>Bad Gateway</html>"),
        faults.http(504),
        faults.http(503, '{"code": {"a": []}, "message": 5}'),
    ],
)
async def test_twilios_own_failure_is_unknown_and_not_repeated(answer: Fault) -> None:
    outcome = await outcome_of(answer)
    assert isinstance(outcome, Unknown)
    assert "may have been sent" in outcome.text


async def test_problem_details_are_read_like_other_errors() -> None:
    """RFC 9457, which newer services of Twilio answer with."""
    body = '{"type": "https://x", "title": "t", "status": 200, "code": 21211, "detail": "d"}'
    outcome = await outcome_of(faults.http(400, body))
    assert isinstance(outcome, Rejected)
    assert outcome.code == "21211"


@pytest.mark.parametrize("code", ["null", "{}", '""', '"<b>"', "false"])
async def test_an_error_without_a_code_is_named_by_its_status(code: str) -> None:
    outcome = await outcome_of(faults.http(401, f'{{"code": {code}, "status": 401}}'))
    assert outcome == Rejected(
        "Twilio answered HTTP 401.", "http_401", kind=RejectKind.CONFIGURATION
    )
    assert "http_401" in FACTS.pause_codes


@pytest.mark.parametrize("status", [301, 302, 307, 308])
async def test_redirect_is_a_matter_of_configuration(status: int) -> None:
    outcome = await outcome_of(faults.http(status, headers={"Location": "https://example.com/"}))
    assert isinstance(outcome, Rejected)
    assert outcome.kind is RejectKind.CONFIGURATION


async def test_who_opted_out_is_told_apart_from_other_refusals() -> None:
    """Field report 66."""
    async with FakeTwilio() as twilio:
        twilio.for_receiver["+15005550004"] = faults.error(21610)
        transport = TwilioTransport(config_for(twilio))
        stopped = await transport.send(an_sms(receiver="+15005550004"), go)
        other = await transport.send(an_sms(), go)
        await transport.close()
        assert list(twilio.by_receiver) == [RECEIVER]
    assert isinstance(stopped, Rejected)
    assert stopped.kind is RejectKind.OPTED_OUT
    assert not isinstance(other, Rejected)
