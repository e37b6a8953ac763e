"""What SendGrid's answers to a message come to, over sockets."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from app.transports.contract import (
    Accepted,
    CannotTell,
    MetadataRefused,
    Outcome,
    Rejected,
    RejectKind,
    TryLater,
    Unknown,
)
from app.transports.email.sendgrid.config import SendgridConfig
from app.transports.email.sendgrid.facts import PAUSE_CODES
from app.transports.email.sendgrid.transport import SendgridTransport
from tests.fakes import twilio_faults as faults
from tests.fakes.api import answer_with
from tests.fakes.sendgrid import FakeSendgrid
from tests.fakes.twilio_faults import Fault
from tests.providers.api_account import line, send_one
from tests.providers.cases import answers_of
from tests.providers.emails import an_email, reference_to
from tests.providers.sendgrid.provider import refuse

MEANT: dict[str, type[Outcome]] = {
    "success": Accepted,
    "bad request": Rejected,
    "rate limit": TryLater,
}


@pytest.fixture
async def sendgrid() -> AsyncIterator[FakeSendgrid]:
    async with FakeSendgrid() as fake:
        yield fake


def transport_to(sendgrid: FakeSendgrid, **settings: Any) -> SendgridTransport:
    given: dict[str, Any] = {"api_key": sendgrid.key, **line(sendgrid)}
    return SendgridTransport(SendgridConfig(**(given | settings)))


async def outcome_of(sendgrid: FakeSendgrid, fault: Fault | None, **fields: Any) -> Outcome:
    return await send_one(sendgrid, transport_to(sendgrid), fault, **fields)


@pytest.mark.parametrize("case", answers_of("sendgrid"))
async def test_an_answer_is_what_it_says(sendgrid: FakeSendgrid, case: dict[str, Any]) -> None:
    headers = {name.replace("-", "_"): value for name, value in case["headers"].items()}
    outcome = await outcome_of(sendgrid, answer_with(case["body"], case["http_status"], **headers))
    assert isinstance(outcome, MEANT[case["name"]])


async def test_the_id_of_a_message_is_the_one_that_its_reports_bring_back(
    sendgrid: FakeSendgrid,
) -> None:
    transport, email = transport_to(sendgrid), an_email()
    outcome = await transport.send(email, lambda: None)
    await transport.close()
    assert isinstance(outcome, Accepted)
    assert outcome.message_id == str(email.provider_key)
    assert str(email.provider_key).encode() in sendgrid.taken[0]
    assert "sg0001" in outcome.text


@pytest.mark.parametrize("status", [401, 403, 404, 405, 302])
async def test_an_account_that_is_not_known_is_no_fault_of_the_message(
    sendgrid: FakeSendgrid, status: int
) -> None:
    outcome = await outcome_of(sendgrid, refuse("no", status=status))
    assert isinstance(outcome, Rejected)
    assert outcome.kind is RejectKind.CONFIGURATION


async def test_a_wrong_key_pauses(sendgrid: FakeSendgrid) -> None:
    outcome = await send_one(sendgrid, transport_to(sendgrid, api_key="wrong"))
    assert outcome.code in PAUSE_CODES


@pytest.mark.parametrize("status", [400, 413, 415, 451])
async def test_a_refusal_quotes_what_is_wrong(sendgrid: FakeSendgrid, status: int) -> None:
    outcome = await outcome_of(sendgrid, refuse("The subject is required.", status=status))
    assert outcome == Rejected(
        f"SendGrid answered HTTP {status}: The subject is required.", f"http_{status}"
    )


DATE = "Mon, 21 Sep 2026 14:13:20 GMT"


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"X_RateLimit_Reset": "1790000060", "Date": DATE}, 60.0),
        ({"X_RateLimit_Reset": "1700000000", "Date": DATE}, 0.0),
        ({"X_RateLimit_Reset": "1890000060", "Date": DATE}, 3600.0),
        ({"X_RateLimit_Reset": "soon"}, None),
        ({"X_RateLimit_Reset": "9" * 30}, None),
        ({"Retry_After": "5", "X_RateLimit_Reset": "1790000060"}, 5.0),
    ],
)
async def test_too_many_requests_say_when_to_ask_again(
    sendgrid: FakeSendgrid, headers: dict[str, str], wait: float | None
) -> None:
    outcome = await outcome_of(sendgrid, refuse("too many", status=429, **headers))
    assert isinstance(outcome, TryLater)
    assert (outcome.retry_after, outcome.may_have_been_sent) == (wait, False)


@pytest.mark.parametrize("status", [500, 502, 503])
async def test_from_500_on_the_message_may_have_been_taken(
    sendgrid: FakeSendgrid, status: int
) -> None:
    outcome = await outcome_of(sendgrid, refuse("no", status=status))
    assert outcome == TryLater(outcome.text, f"http_{status}", may_have_been_sent=True)


@pytest.mark.parametrize(
    "fault",
    [
        faults.http(200, "<html>"),
        faults.http(202),
        faults.http(202, headers={"X-Message-Id": "\xfc"}),
    ],
)
async def test_a_success_that_names_no_message_is_unknown(
    sendgrid: FakeSendgrid, fault: Fault
) -> None:
    assert isinstance(await outcome_of(sendgrid, fault), Unknown)


@pytest.mark.parametrize("fault", [answer_with([1], 400), answer_with({"errors": [1, None]}, 400)])
async def test_an_odd_refusal_is_one(sendgrid: FakeSendgrid, fault: Fault) -> None:
    assert isinstance(await outcome_of(sendgrid, fault), Rejected)


async def test_refused_metadata_is_told(sendgrid: FakeSendgrid) -> None:
    fault = refuse("must be strings", field="personalizations.0.custom_args.a")
    with pytest.raises(MetadataRefused):
        await outcome_of(sendgrid, fault, metadata={"a": "b"})
    assert isinstance(await outcome_of(sendgrid, fault), Rejected)


async def test_the_sandbox_reports_nothing_later(sendgrid: FakeSendgrid) -> None:
    outcome = await send_one(sendgrid, transport_to(sendgrid, sandbox=True), faults.http(200))
    assert isinstance(outcome, Accepted)
    assert outcome.final
    assert b'"sandbox_mode":{"enable":true}' in sendgrid.bodies[0]


async def test_sendgrid_is_not_asked_for_a_message(sendgrid: FakeSendgrid) -> None:
    transport = transport_to(sendgrid)
    assert isinstance(await transport.find(reference_to(an_email())), CannotTell)
    await transport.close()
