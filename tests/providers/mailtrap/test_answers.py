"""What Mailtrap's answers to a message come to, over sockets."""

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
from app.transports.email.mailtrap.config import MailtrapConfig
from app.transports.email.mailtrap.facts import PAUSE_CODES
from app.transports.email.mailtrap.transport import MailtrapTransport
from tests.fakes import twilio_faults as faults
from tests.fakes.api import answer_with
from tests.fakes.mailtrap import FakeMailtrap
from tests.fakes.twilio_faults import Fault
from tests.providers.api_account import line, send_one
from tests.providers.cases import answers_of
from tests.providers.emails import an_email, reference_to
from tests.providers.mailtrap.provider import refuse

MEANT: dict[str, type[Outcome]] = {
    "success": Accepted,
    "unauthorised": Rejected,
    "validation": Rejected,
    "200 but success false": Rejected,
}


@pytest.fixture
async def mailtrap() -> AsyncIterator[FakeMailtrap]:
    async with FakeMailtrap() as fake:
        yield fake


def transport_to(mailtrap: FakeMailtrap, **settings: Any) -> MailtrapTransport:
    given: dict[str, Any] = {"api_token": mailtrap.token, **line(mailtrap)}
    return MailtrapTransport(MailtrapConfig(**(given | settings)))


async def outcome_of(mailtrap: FakeMailtrap, fault: Fault | None, **fields: Any) -> Outcome:
    return await send_one(mailtrap, transport_to(mailtrap), fault, **fields)


@pytest.mark.parametrize("case", answers_of("mailtrap"))
async def test_an_answer_is_what_it_says(mailtrap: FakeMailtrap, case: dict[str, Any]) -> None:
    """A success has an id for each receiver, of whom there is one here."""
    body = dict(case["body"])
    if "message_ids" in body:
        body["message_ids"] = body["message_ids"][:1]

    outcome = await outcome_of(mailtrap, answer_with(body, case["http_status"]))

    assert isinstance(outcome, MEANT[case["name"]])
    if isinstance(outcome, Accepted):
        assert outcome.message_id == "m-ada"


async def test_a_wrong_token_pauses(mailtrap: FakeMailtrap) -> None:
    outcome = await send_one(mailtrap, transport_to(mailtrap, api_token="wrong"))
    assert isinstance(outcome, Rejected)
    assert outcome.kind is RejectKind.CONFIGURATION
    assert outcome.code in PAUSE_CODES


@pytest.mark.parametrize(
    "body",
    [
        {"success": False},
        {"success": False, "errors": ["x"]},
        {"success": True, "errors": ["x"], "message_ids": ["m"]},
        {"errors": {"a": 1}},
        {"success": False, "error": "x"},
    ],
)
async def test_a_success_that_says_otherwise_is_none(
    mailtrap: FakeMailtrap, body: dict[str, Any]
) -> None:
    outcome = await outcome_of(mailtrap, answer_with(body))
    assert isinstance(outcome, Rejected)
    assert (outcome.code, outcome.kind) == ("refused", RejectKind.REJECTED)


@pytest.mark.parametrize(
    "fault",
    [
        answer_with({}),
        answer_with({"success": True}),
        answer_with({"success": True, "message_ids": []}),
        answer_with({"success": True, "message_ids": ["a", "b"]}),
        answer_with({"success": True, "message_ids": [None]}),
        answer_with({"success": "yes", "message_ids": ["a"]}),
        faults.http(200),
        faults.http(200, "<html>"),
        faults.half_answer,
    ],
)
async def test_a_success_that_names_no_message_is_unknown(
    mailtrap: FakeMailtrap, fault: Fault
) -> None:
    assert isinstance(await outcome_of(mailtrap, fault), Unknown)


async def test_too_many_requests_say_when_to_ask_again(mailtrap: FakeMailtrap) -> None:
    outcome = await outcome_of(mailtrap, refuse("slow down", status=429, retry_after="9"))
    assert isinstance(outcome, TryLater)
    assert (outcome.retry_after, outcome.may_have_been_sent) == (9.0, False)


@pytest.mark.parametrize("status", [500, 502, 503])
async def test_from_500_on_the_message_may_have_been_taken(
    mailtrap: FakeMailtrap, status: int
) -> None:
    outcome = await outcome_of(mailtrap, refuse("no", status=status))
    assert outcome == TryLater(outcome.text, f"http_{status}", may_have_been_sent=True)


@pytest.mark.parametrize("status", [200, 400])
async def test_refused_metadata_is_told(mailtrap: FakeMailtrap, status: int) -> None:
    fault = refuse("'custom_variables' is too long", status=status)
    with pytest.raises(MetadataRefused):
        await outcome_of(mailtrap, fault, metadata={"a": "b"})
    assert isinstance(await outcome_of(mailtrap, fault), Rejected)


async def test_the_sandbox_reports_nothing_later(mailtrap: FakeMailtrap) -> None:
    outcome = await send_one(mailtrap, transport_to(mailtrap, inbox_id="7"))
    assert isinstance(outcome, Accepted)
    assert outcome.final


async def test_mailtrap_is_not_asked_for_a_message(mailtrap: FakeMailtrap) -> None:
    transport = transport_to(mailtrap)
    assert isinstance(await transport.find(reference_to(an_email())), CannotTell)
    await transport.close()
