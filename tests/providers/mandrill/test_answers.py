"""What Mandrill's answers to a message come to, over sockets."""

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
from app.transports.email.mandrill.codes import ERROR_CODES, ERROR_NAMES, PAUSE_CODES, REJECTIONS
from app.transports.email.mandrill.config import MandrillConfig
from app.transports.email.mandrill.facts import FACTS
from app.transports.email.mandrill.transport import MandrillTransport
from app.transports.email.refusals import Refusal
from tests.fakes import twilio_faults as faults
from tests.fakes.api import answer_with
from tests.fakes.mandrill.server import FakeMandrill
from tests.fakes.twilio_faults import Fault, http
from tests.providers.api_account import line, send_one
from tests.providers.cases import answers_of
from tests.providers.mandrill.provider import refuse


@pytest.fixture
async def mandrill() -> AsyncIterator[FakeMandrill]:
    async with FakeMandrill() as fake:
        yield fake


async def send(
    mandrill: FakeMandrill, fault: Fault | None = None, key: str = "", **fields: Any
) -> Outcome:
    config = MandrillConfig(api_key=key or mandrill.key, **line(mandrill, 1.0))
    return await send_one(mandrill, MandrillTransport(config), fault, **fields)


def result(**fields: Any) -> Fault:
    return answer_with([{"email": "ada@example.com", "_id": "a1", **fields}])


BECAME = {
    "sent": Accepted("a1", "Mandrill: sent"),
    "queued": Accepted("a2", "Mandrill: queued"),
    "hard-bounce": Rejected("Mandrill: an earlier message to the receiver bounced.", "hard-bounce"),
    "invalid": Rejected("Mandrill: the receiver's address is not valid.", "invalid"),
}


@pytest.mark.parametrize("captured", answers_of("mandrill")[0].values[0]["body"])
async def test_each_captured_result_of_a_receiver_comes_to_what_it_says(
    mandrill: FakeMandrill, captured: dict[str, Any]
) -> None:
    """Pillarbox names one receiver, and is told of one."""
    became = BECAME[captured.get("reject_reason") or captured["status"]]
    assert await send(mandrill, answer_with([captured])) == became


@pytest.mark.parametrize("case", answers_of("mandrill")[1:])
async def test_captured_errors_are_rejections(mandrill: FakeMandrill, case: Any) -> None:
    outcome = await send(mandrill, answer_with(case["body"], case["http_status"]))
    assert isinstance(outcome, Rejected)
    assert outcome.code == case["body"]["name"]


async def test_an_answer_about_several_receivers_can_not_be_read(mandrill: FakeMandrill) -> None:
    captured = answers_of("mandrill")[0].values[0]["body"]
    assert isinstance(await send(mandrill, answer_with(captured)), Unknown)


@pytest.mark.parametrize(("reason", "known"), REJECTIONS.items())
async def test_each_reason_of_a_rejection_has_its_kind(
    mandrill: FakeMandrill, reason: str, known: Any
) -> None:
    outcome = await send(mandrill, result(status="rejected", reject_reason=reason))
    assert isinstance(outcome, Rejected)
    assert (outcome.kind, outcome.code) == (RejectKind(known.refusal.value), reason)
    assert known.meaning in outcome.text


async def test_a_reason_of_the_future_is_told(mandrill: FakeMandrill) -> None:
    outcome = await send(mandrill, result(status="rejected", reject_reason="moon"))
    assert outcome == Rejected("Mandrill: the receiver is refused (moon).", "rejected")


@pytest.mark.parametrize(("name", "known"), ERROR_NAMES.items())
@pytest.mark.parametrize("status", [500, 200, 400])
async def test_each_error_has_its_class_whatever_its_status(
    mandrill: FakeMandrill, status: int, name: str, known: Any
) -> None:
    outcome = await send(mandrill, refuse(name, "words", status))
    if known.refusal is Refusal.IN_DOUBT:
        assert isinstance(outcome, TryLater)
        assert outcome.may_have_been_sent
    else:
        assert isinstance(outcome, Rejected)
        assert outcome.kind == RejectKind(known.refusal.value)
    assert outcome.code == name


async def test_a_wrong_key_pauses_the_channel(mandrill: FakeMandrill) -> None:
    outcome = await send(mandrill, key="wrong")
    assert isinstance(outcome, Rejected)
    assert outcome.kind is RejectKind.CONFIGURATION
    assert outcome.code in FACTS.pause_codes


def test_every_code_that_pauses_is_known_or_a_status() -> None:
    assert {code for code in PAUSE_CODES if not code.startswith("http_")} <= set(ERROR_CODES)


@pytest.mark.parametrize(
    "fault",
    [
        http(500),
        http(502, "<html>"),
        http(503, "[]"),
        refuse("An_Error_Of_The_Future"),
        refuse("An_Error_Of_The_Future", status=200),
        refuse(""),
    ],
)
async def test_a_failure_without_a_known_name_may_have_been_sent(
    mandrill: FakeMandrill, fault: Fault
) -> None:
    outcome = await send(mandrill, fault)
    assert isinstance(outcome, TryLater)
    assert outcome.may_have_been_sent


async def test_too_many_requests_are_put_off(mandrill: FakeMandrill) -> None:
    outcome = await send(mandrill, http(429, headers={"Retry-After": "7"}))
    assert isinstance(outcome, TryLater)
    assert (outcome.retry_after, outcome.may_have_been_sent) == (7.0, False)


async def test_refused_metadata_is_told_apart_from_a_refused_message(
    mandrill: FakeMandrill,
) -> None:
    fault = refuse("ValidationError", 'Validation error: {"message":{"metadata":"Too long"}}')
    with pytest.raises(MetadataRefused):
        await send(mandrill, fault, metadata={"vdq_queue_item": "1"})
    assert isinstance(await send(mandrill, fault), Rejected)


@pytest.mark.parametrize(
    "fault",
    [
        http(200, "<html>"),
        http(200, ""),
        http(200, "{}"),
        answer_with([]),
        answer_with(["x"]),
        result(status="sent", _id=None),
        result(status="sent", _id="a\nb"),
        result(status="of the future"),
        result(),
        faults.half_answer,
        faults.bomb,
        faults.hang,
        faults.hang_up,
    ],
)
async def test_an_answer_that_can_not_be_read_means_unknown(
    mandrill: FakeMandrill, fault: Fault
) -> None:
    """Field report 22."""
    assert isinstance(await send(mandrill, fault), Unknown)
