"""What Mailjet's answers to a message come to, over sockets."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from app.transports.contract import (
    Accepted,
    MetadataRefused,
    Outcome,
    Rejected,
    RejectKind,
    TryLater,
    Unknown,
)
from app.transports.email.mailjet.config import MailjetConfig
from app.transports.email.mailjet.facts import PAUSE_CODES
from app.transports.email.mailjet.transport import MailjetTransport
from tests.fakes import twilio_faults as faults
from tests.fakes.api import answer_with
from tests.fakes.mailjet import FIRST, KEY, FakeMailjet
from tests.fakes.twilio_faults import Fault
from tests.providers.api_account import line, send_one
from tests.providers.cases import answers_of
from tests.providers.mailjet.provider import fail, refuse

MEANT: dict[str, type[Outcome]] = {
    "success": Accepted,
    "global error": Rejected,
    "message error 400": Rejected,
}


@pytest.fixture
async def mailjet() -> AsyncIterator[FakeMailjet]:
    async with FakeMailjet() as fake:
        yield fake


def transport_to(mailjet: FakeMailjet, **settings: Any) -> MailjetTransport:
    given: dict[str, Any] = {"api_key": KEY, "secret_key": mailjet.secret, **line(mailjet)}
    return MailjetTransport(MailjetConfig(**(given | settings)))


async def outcome_of(mailjet: FakeMailjet, fault: Fault | None, **fields: Any) -> Outcome:
    return await send_one(mailjet, transport_to(mailjet), fault, **fields)


@pytest.mark.parametrize("case", answers_of("mailjet"))
async def test_an_answer_is_what_it_says(mailjet: FakeMailjet, case: dict[str, Any]) -> None:
    outcome = await outcome_of(mailjet, answer_with(case["body"], case["http_status"]))

    assert isinstance(outcome, MEANT[case["name"]])
    if isinstance(outcome, Accepted):
        assert outcome.message_id == case["parsed"]["message_id"][0] == str(FIRST)


async def test_a_wrong_secret_pauses(mailjet: FakeMailjet) -> None:
    outcome = await send_one(mailjet, transport_to(mailjet, secret_key="wrong"))
    assert isinstance(outcome, Rejected)
    assert outcome.kind is RejectKind.CONFIGURATION
    assert outcome.code in PAUSE_CODES


@pytest.mark.parametrize("status", [200, 201, 400])
async def test_an_error_inside_is_one_whatever_the_status(
    mailjet: FakeMailjet, status: int
) -> None:
    outcome = await outcome_of(mailjet, refuse("no such thing", status=status))
    assert isinstance(outcome, Rejected)
    assert (outcome.code, outcome.kind) == ("mj-0013", RejectKind.REJECTED)
    assert "no such thing" in outcome.text


@pytest.mark.parametrize(
    ("inner", "kind"), [(403, RejectKind.CONFIGURATION), (401, RejectKind.CONFIGURATION)]
)
async def test_the_status_of_the_error_counts(
    mailjet: FakeMailjet, inner: int, kind: RejectKind
) -> None:
    outcome = await outcome_of(mailjet, refuse("not your sender", inner=inner))
    assert isinstance(outcome, Rejected)
    assert outcome.kind is kind


async def test_too_many_requests_say_when_to_ask_again(mailjet: FakeMailjet) -> None:
    outcome = await outcome_of(mailjet, fail("slow down", status=429, retry_after="9"))
    assert isinstance(outcome, TryLater)
    assert (outcome.retry_after, outcome.may_have_been_sent) == (9.0, False)


@pytest.mark.parametrize("fault", [fail(status=500), refuse(status=502), faults.http(503)])
async def test_from_500_on_the_message_may_have_been_taken(
    mailjet: FakeMailjet, fault: Fault
) -> None:
    outcome = await outcome_of(mailjet, fault)
    assert isinstance(outcome, TryLater)
    assert outcome.may_have_been_sent


@pytest.mark.parametrize(
    "fault",
    [
        answer_with({}),
        answer_with({"Messages": []}),
        answer_with({"Messages": [1]}),
        answer_with({"Messages": [{"Status": "new"}]}),
        answer_with({"Messages": [{"Status": "success", "To": []}]}),
        answer_with({"Messages": [{"Status": "success", "To": [{"MessageID": 0}]}]}),
        answer_with({"Messages": [{"Status": "success", "To": [{"MessageID": 1e30}]}]}),
        faults.http(200),
        faults.http(200, "<html>"),
        faults.half_answer,
    ],
)
async def test_a_success_that_names_no_message_is_unknown(
    mailjet: FakeMailjet, fault: Fault
) -> None:
    assert isinstance(await outcome_of(mailjet, fault), Unknown)


async def test_refused_metadata_is_told(mailjet: FakeMailjet) -> None:
    fault = refuse("too long", about="EventPayload")
    with pytest.raises(MetadataRefused):
        await outcome_of(mailjet, fault, metadata={"a": "b"})
    assert isinstance(await outcome_of(mailjet, fault), Rejected)


async def test_the_sandbox_reports_nothing_later(mailjet: FakeMailjet) -> None:
    outcome = await send_one(mailjet, transport_to(mailjet, sandbox=True))
    assert isinstance(outcome, Accepted)
    assert (outcome.final, outcome.message_id) == (True, None)
    assert b'"SandboxMode":true' in mailjet.bodies[0]
