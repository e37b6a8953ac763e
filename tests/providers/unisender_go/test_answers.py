"""What Unisender Go's answers to a message come to, over sockets."""

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
from app.transports.email.refusals import Refusal
from app.transports.email.unisender_go.codes import PAUSE_CODES, REASONS
from app.transports.email.unisender_go.config import UnisenderGoConfig
from app.transports.email.unisender_go.facts import FACTS
from app.transports.email.unisender_go.transport import UnisenderGoTransport
from tests.fakes import twilio_faults as faults
from tests.fakes.api import answer_with
from tests.fakes.twilio_faults import Fault, http
from tests.fakes.unisender_go.server import FakeUnisenderGo
from tests.providers.api_account import line, send_one
from tests.providers.cases import answers_of
from tests.providers.emails import an_email, reference_to
from tests.providers.unisender_go.provider import refuse


@pytest.fixture
async def unisender() -> AsyncIterator[FakeUnisenderGo]:
    async with FakeUnisenderGo() as fake:
        yield fake


async def send(
    unisender: FakeUnisenderGo, fault: Fault | None = None, key: str = "", **fields: Any
) -> Outcome:
    config = UnisenderGoConfig(api_key=key or unisender.key, **line(unisender, 1.0))
    return await send_one(unisender, UnisenderGoTransport(config), fault, **fields)


def success(**fields: Any) -> Fault:
    return answer_with({"status": "success", "job_id": "j1", "failed_emails": {}, **fields})


def left_out(reason: str, status: int = 200) -> Fault:
    body = {"status": "success" if status == 200 else "error", "job_id": "j1", "code": 204}
    return answer_with(body | {"failed_emails": {"ADA@example.com": reason}}, status)


CAPTURED = {
    "success": Accepted("1ZymBc-00041N-9X", "Unisender Go: accepted"),
    "partial": Accepted("j2", "Unisender Go: accepted"),
    "error": Rejected(
        "Unisender Go answered HTTP 400: Error ID:0-0. Recipients list is empty.", "204"
    ),
    "all failed": Rejected("Unisender Go: the receiver's address is not valid.", "invalid"),
}


@pytest.mark.parametrize("case", answers_of("unisender_go"))
async def test_captured_answers_come_to_what_they_say(
    unisender: FakeUnisenderGo, case: Any
) -> None:
    outcome = await send(unisender, answer_with(case["body"], case["http_status"]))
    assert outcome == CAPTURED[case["name"]]


PARTIAL = {
    "bob@example.com": (RejectKind.REJECTED, "permanent_unavailable"),
    "dee@example.com": (RejectKind.OPTED_OUT, "unsubscribed"),
}


@pytest.mark.parametrize(("receiver", "became"), PARTIAL.items())
async def test_whoever_is_left_out_of_a_success_is_refused(
    unisender: FakeUnisenderGo, receiver: str, became: Any
) -> None:
    case = answers_of("unisender_go")[1].values[0]
    outcome = await send(unisender, answer_with(case["body"]), receiver=Address(receiver))
    assert isinstance(outcome, Rejected)
    assert (outcome.kind, outcome.code) == became


@pytest.mark.parametrize("status", [200, 400])
@pytest.mark.parametrize(("reason", "known"), REASONS.items())
async def test_each_reason_has_its_class_whatever_the_status(
    unisender: FakeUnisenderGo, reason: str, known: Any, status: int
) -> None:
    outcome = await send(unisender, left_out(reason, status))
    if known.refusal is Refusal.TRY_LATER:
        assert isinstance(outcome, TryLater)
        assert not outcome.may_have_been_sent
    else:
        assert isinstance(outcome, Rejected)
        assert outcome.kind == RejectKind(known.refusal.value)
    assert (outcome.code, known.meaning in outcome.text) == (reason, True)


async def test_a_reason_of_the_future_is_a_refusal(unisender: FakeUnisenderGo) -> None:
    outcome = await send(unisender, left_out("moon"))
    assert outcome == Rejected("Unisender Go: the receiver is left out (moon).", "left_out")


async def test_an_address_that_stands_twice_is_sent_to_once(unisender: FakeUnisenderGo) -> None:
    assert isinstance(await send(unisender, left_out("duplicate")), Accepted)


async def test_an_error_that_comes_as_a_success_is_one(unisender: FakeUnisenderGo) -> None:
    outcome = await send(unisender, refuse(150, "no", 200))
    assert isinstance(outcome, Rejected)
    assert outcome.code == "150"


async def test_the_other_data_centre_pauses_the_channel(unisender: FakeUnisenderGo) -> None:
    outcome = await send(unisender, refuse(114, "User with id 5 not found"))
    assert isinstance(outcome, Rejected)
    assert (outcome.kind, outcome.code) == (RejectKind.CONFIGURATION, "114")
    assert outcome.code in FACTS.pause_codes


async def test_a_wrong_key_pauses_the_channel(unisender: FakeUnisenderGo) -> None:
    outcome = await send(unisender, key="wrong")
    assert isinstance(outcome, Rejected)
    assert outcome.kind is RejectKind.CONFIGURATION
    assert outcome.code in PAUSE_CODES


async def test_the_request_carries_the_key(unisender: FakeUnisenderGo) -> None:
    await send(unisender)
    assert unisender.headers[0]["X-API-KEY"] == unisender.key


async def test_too_many_requests_are_put_off(unisender: FakeUnisenderGo) -> None:
    outcome = await send(unisender, refuse(0, status=429, Retry_After="7"))
    assert isinstance(outcome, TryLater)
    assert (outcome.retry_after, outcome.may_have_been_sent) == (7.0, False)


@pytest.mark.parametrize("status", [500, 502, 503, 504])
@pytest.mark.parametrize(
    "body",
    ["", "<html>", '{"status": "error", "failed_emails": {"ada@example.com": "invalid"}}'],
)
async def test_a_failure_of_its_own_is_retried_and_may_have_been_sent(
    unisender: FakeUnisenderGo, status: int, body: str
) -> None:
    outcome = await send(unisender, http(status, body))
    assert isinstance(outcome, TryLater)
    assert (outcome.code, outcome.may_have_been_sent) == (f"http_{status}", True)


@pytest.mark.parametrize(
    "fault",
    [
        http(200, "<html>"),
        http(200, ""),
        http(200, "[]"),
        http(200, "{}"),
        success(status="of the future"),
        success(job_id=""),
        success(job_id="a\nb"),
        success(job_id=[]),
        faults.half_answer,
        faults.bomb,
        faults.hang,
        faults.hang_up,
    ],
)
async def test_an_answer_that_can_not_be_read_means_unknown(
    unisender: FakeUnisenderGo, fault: Fault
) -> None:
    """Field report 22."""
    assert isinstance(await send(unisender, fault), Unknown)


async def test_it_can_not_be_asked(unisender: FakeUnisenderGo) -> None:
    transport = UnisenderGoTransport(UnisenderGoConfig(api_key="k", **line(unisender)))
    assert isinstance(await transport.find(reference_to(an_email())), CannotTell)
    await transport.close()
