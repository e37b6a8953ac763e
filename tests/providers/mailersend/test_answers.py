"""What MailerSend's answers to a message come to, over sockets."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from app.transports.contract import (
    Accepted,
    Address,
    CannotTell,
    Outcome,
    Rejected,
    RejectKind,
    TryLater,
    Unknown,
)
from app.transports.email.mailersend.codes import PAUSE_CODES
from app.transports.email.mailersend.config import MailersendConfig
from app.transports.email.mailersend.transport import MailersendTransport
from tests.fakes import twilio_faults as faults
from tests.fakes.api import answer_with
from tests.fakes.mailersend import FakeMailersend
from tests.fakes.twilio_faults import Fault
from tests.providers.api_account import line, send_one
from tests.providers.cases import answers_of
from tests.providers.emails import an_email, reference_to
from tests.providers.mailersend.provider import refuse

MEANT: dict[str, type[Outcome]] = {
    "success": Accepted,
    "some suppressed": Accepted,
    "all suppressed": Rejected,
    "validation": Rejected,
    "rate limit": TryLater,
}


@pytest.fixture
async def mailersend() -> AsyncIterator[FakeMailersend]:
    async with FakeMailersend() as fake:
        yield fake


def transport_to(mailersend: FakeMailersend, **settings: Any) -> MailersendTransport:
    given: dict[str, Any] = {"api_token": mailersend.token, **line(mailersend)}
    return MailersendTransport(MailersendConfig(**(given | settings)))


async def outcome_of(mailersend: FakeMailersend, fault: Fault | None, **fields: Any) -> Outcome:
    return await send_one(mailersend, transport_to(mailersend), fault, **fields)


def answer_of(case: dict[str, Any]) -> Fault:
    headers = {name.replace("-", "_"): value for name, value in case["headers"].items()}
    if case["body"]:
        return answer_with(case["body"], case["http_status"], **headers)
    return faults.http(case["http_status"], headers=case["headers"])


@pytest.mark.parametrize("case", answers_of("mailersend"))
async def test_an_answer_is_what_it_says(mailersend: FakeMailersend, case: dict[str, Any]) -> None:
    """Of Ada, who is the receiver."""
    outcome = await outcome_of(mailersend, answer_of(case))

    assert isinstance(outcome, MEANT[case["name"]])
    if isinstance(outcome, Accepted):
        assert outcome.message_id == case["parsed"]["recipients"]["ada@example.com"]["message_id"]


@pytest.mark.parametrize("field", ["reason", "reasons"])
@pytest.mark.parametrize(
    ("reason", "kind", "code"),
    [
        ("hard_bounced", RejectKind.REJECTED, "hard_bounced"),
        ("spam_complaint", RejectKind.REJECTED, "spam_complaint"),
        ("unsubscribed", RejectKind.OPTED_OUT, "unsubscribed"),
        ("blocklisted", RejectKind.REJECTED, "blocklisted"),
        ("of the future", RejectKind.REJECTED, "suppressed"),
        ({}, RejectKind.REJECTED, "suppressed"),
    ],
)
async def test_an_accepted_message_to_a_suppressed_receiver_is_refused(
    mailersend: FakeMailersend, field: str, reason: Any, kind: RejectKind, code: str
) -> None:
    """Also if there is an id, and the address is written otherwise."""
    recipients = [None, {"email": "ADA@example.com", field: [reason]}]
    warnings = [1, {"type": "SOME_SUPPRESSED", "recipients": recipients}]
    fault = answer_with({"warnings": warnings}, 202, X_Message_Id="m1")

    outcome = await outcome_of(mailersend, fault, receiver=Address("Ada@example.com"))

    assert isinstance(outcome, Rejected)
    assert (outcome.kind, outcome.code) == (kind, code)


async def test_where_all_are_suppressed_the_receiver_is_however_they_are_written(
    mailersend: FakeMailersend,
) -> None:
    """Nothing was sent, so that nobody has to look for it."""
    recipients = [{"email": "ada@faß.de", "reasons": ["hard_bounced"]}]
    warnings = [{"type": "ALL_SUPPRESSED", "recipients": recipients}]
    outcome = await outcome_of(
        mailersend,
        answer_with({"warnings": warnings}, 202),
        receiver=Address("ada@xn--fa-hia.de"),
    )

    assert isinstance(outcome, Rejected)
    assert outcome.code == "hard_bounced"


async def test_another_warning_refuses_nothing(mailersend: FakeMailersend) -> None:
    fault = answer_with({"warnings": [{"type": "NEW"}]}, 202, X_Message_Id="m1")
    assert isinstance(await outcome_of(mailersend, fault), Accepted)


async def test_a_sender_that_is_not_verified_is_no_fault_of_the_message(
    mailersend: FakeMailersend,
) -> None:
    outcome = await outcome_of(mailersend, refuse("must be verified #MS42207", field="from.email"))
    assert isinstance(outcome, Rejected)
    assert (outcome.kind, outcome.code) == (RejectKind.CONFIGURATION, "MS42207")


async def test_another_code_is_kept_and_its_words_are_quoted(mailersend: FakeMailersend) -> None:
    outcome = await outcome_of(mailersend, refuse("The subject is too long. #MS42299"))
    assert isinstance(outcome, Rejected)
    assert (outcome.kind, outcome.code) == (RejectKind.REJECTED, "MS42299")
    assert "too long" in outcome.text


async def test_a_wrong_token_pauses(mailersend: FakeMailersend) -> None:
    outcome = await send_one(mailersend, transport_to(mailersend, api_token="wrong"))
    assert isinstance(outcome, Rejected)
    assert outcome.kind is RejectKind.CONFIGURATION
    assert outcome.code in PAUSE_CODES


@pytest.mark.parametrize("status", [421, 429])
async def test_a_message_for_later_says_when(mailersend: FakeMailersend, status: int) -> None:
    outcome = await outcome_of(mailersend, refuse("no", status=status, retry_after="59"))
    assert isinstance(outcome, TryLater)
    assert (outcome.retry_after, outcome.may_have_been_sent) == (59.0, False)


@pytest.mark.parametrize("status", [500, 502, 503])
async def test_from_500_on_the_message_may_have_been_taken(
    mailersend: FakeMailersend, status: int
) -> None:
    outcome = await outcome_of(mailersend, refuse("no #MS42207", status=status))
    assert outcome == TryLater(outcome.text, f"http_{status}", may_have_been_sent=True)


@pytest.mark.parametrize(
    "fault", [faults.http(202), faults.http(200, "<html>"), answer_with({"warnings": 1}, 202)]
)
async def test_a_success_that_names_no_message_is_unknown(
    mailersend: FakeMailersend, fault: Fault
) -> None:
    assert isinstance(await outcome_of(mailersend, fault), Unknown)


async def test_mailersend_is_not_asked_for_a_message(mailersend: FakeMailersend) -> None:
    transport = transport_to(mailersend)
    assert isinstance(await transport.find(reference_to(an_email())), CannotTell)
    await transport.close()
