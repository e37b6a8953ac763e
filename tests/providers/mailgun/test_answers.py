"""What Mailgun's answers to a message come to, over sockets."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from app.transports.contract import Accepted, Outcome, Rejected, RejectKind, TryLater, Unknown
from app.transports.email.mailgun.codes import PAUSE_CODES
from app.transports.email.mailgun.config import MailgunConfig
from app.transports.email.mailgun.transport import MailgunTransport
from tests.fakes import twilio_faults as faults
from tests.fakes.api import answer_with
from tests.fakes.mailgun import DOMAIN, FakeMailgun
from tests.fakes.twilio_faults import Fault
from tests.providers.api_account import line, send_one
from tests.providers.cases import answers_of
from tests.providers.mailgun.provider import refuse

MEANT: dict[str, type[Outcome]] = {
    "success": Accepted,
    "bad address": Rejected,
    "unknown domain": Rejected,
    "wrong path still 200": Rejected,
    "limit": TryLater,
}


@pytest.fixture
async def mailgun() -> AsyncIterator[FakeMailgun]:
    async with FakeMailgun() as fake:
        yield fake


def transport_to(mailgun: FakeMailgun, **settings: Any) -> MailgunTransport:
    given: dict[str, Any] = {"api_key": mailgun.key, "domain": DOMAIN, **line(mailgun)}
    return MailgunTransport(MailgunConfig(**(given | settings)))


async def outcome_of(mailgun: FakeMailgun, fault: Fault | None, **fields: Any) -> Outcome:
    return await send_one(mailgun, transport_to(mailgun), fault, **fields)


@pytest.mark.parametrize("case", answers_of("mailgun"))
async def test_an_answer_is_what_it_says(mailgun: FakeMailgun, case: dict[str, Any]) -> None:
    body, status = case["body"], case["http_status"]
    fault = faults.http(status, body) if isinstance(body, str) else answer_with(body, status)

    outcome = await outcome_of(mailgun, fault)

    assert isinstance(outcome, MEANT[case["name"]])
    if isinstance(outcome, Accepted):
        assert outcome.message_id == case["parsed"]["message_id"]


async def test_a_domain_that_mailgun_does_not_know_pauses(mailgun: FakeMailgun) -> None:
    """It answers 200 there, and takes nothing."""
    outcome = await send_one(mailgun, transport_to(mailgun, domain="other.example.com"))
    assert isinstance(outcome, Rejected)
    assert outcome.kind is RejectKind.CONFIGURATION
    assert outcome.code in PAUSE_CODES


async def test_a_wrong_key_pauses(mailgun: FakeMailgun) -> None:
    outcome = await send_one(mailgun, transport_to(mailgun, api_key="wrong"))
    assert outcome.code in PAUSE_CODES


@pytest.mark.parametrize("status", [401, 402, 403, 404, 302])
async def test_an_account_that_is_not_known_is_no_fault_of_the_message(
    mailgun: FakeMailgun, status: int
) -> None:
    outcome = await outcome_of(mailgun, faults.http(status, "Forbidden"))
    assert isinstance(outcome, Rejected)
    assert outcome.kind is RejectKind.CONFIGURATION


@pytest.mark.parametrize("status", [420, 429])
async def test_too_many_requests_say_when_to_ask_again(mailgun: FakeMailgun, status: int) -> None:
    outcome = await outcome_of(mailgun, refuse("slow down", status=status, retry_after="9"))
    assert isinstance(outcome, TryLater)
    assert (outcome.retry_after, outcome.may_have_been_sent) == (9.0, False)


@pytest.mark.parametrize("status", [500, 502, 503])
async def test_from_500_on_the_message_may_have_been_taken(
    mailgun: FakeMailgun, status: int
) -> None:
    outcome = await outcome_of(mailgun, refuse("no", status=status))
    assert outcome == TryLater(outcome.text, f"http_{status}", may_have_been_sent=True)


@pytest.mark.parametrize(
    "fault",
    [
        answer_with({}),
        answer_with({"id": "<a@b>"}),
        answer_with({"id": "<a@b>", "message": "Not queued"}),
        answer_with({"message": "Queued. Thank you."}),
        answer_with({"id": 7.5, "message": "Queued"}),
        faults.http(200),
        faults.http(200, "<html>"),
        faults.half_answer,
    ],
)
async def test_a_success_that_says_no_such_thing_is_unknown(
    mailgun: FakeMailgun, fault: Fault
) -> None:
    assert isinstance(await outcome_of(mailgun, fault), Unknown)
