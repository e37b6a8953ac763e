"""What SparkPost's answers to a message come to, over sockets."""

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
from app.transports.email.refusals import Refusal
from app.transports.email.sparkpost.codes import ERROR_CODES, PAUSE_CODES
from app.transports.email.sparkpost.config import SparkpostConfig
from app.transports.email.sparkpost.facts import FACTS
from app.transports.email.sparkpost.transport import SparkpostTransport
from tests.fakes import twilio_faults as faults
from tests.fakes.api import answer_with
from tests.fakes.sparkpost.server import FakeSparkpost
from tests.fakes.twilio_faults import Fault, http
from tests.providers.api_account import line, send_one
from tests.providers.cases import answers_of
from tests.providers.sparkpost.provider import refuse


@pytest.fixture
async def sparkpost() -> AsyncIterator[FakeSparkpost]:
    async with FakeSparkpost() as fake:
        yield fake


async def send(
    sparkpost: FakeSparkpost,
    fault: Fault | None = None,
    settings: dict[str, Any] | None = None,
    **fields: Any,
) -> Outcome:
    given = {"api_key": sparkpost.key, **line(sparkpost, 1.0), **(settings or {})}
    return await send_one(sparkpost, SparkpostTransport(SparkpostConfig(**given)), fault, **fields)


def results(accepted: Any, rejected: Any, **fields: Any) -> Fault:
    told = {"total_accepted_recipients": accepted, "total_rejected_recipients": rejected}
    return answer_with({"results": told | {"id": "7"} | fields})


CAPTURED = {
    "success": Accepted("7000000000000000081", "SparkPost: accepted"),
    "all rejected": Rejected("SparkPost: the receiver is refused.", "rejected"),
    "limit": TryLater("SparkPost: the account has sent its share for now.", "2101"),
    "bad content": Rejected(
        "SparkPost: the message is not complete (required field is missing: content object).",
        "1400",
    ),
}


@pytest.mark.parametrize("case", answers_of("sparkpost"))
async def test_captured_answers_come_to_what_they_say(sparkpost: FakeSparkpost, case: Any) -> None:
    outcome = await send(sparkpost, answer_with(case["body"], case["http_status"]))
    if case["name"] == "some rejected":
        # One receiver was named: there is no telling whether it is among the rejected.
        assert isinstance(outcome, Unknown)
    else:
        assert outcome == CAPTURED[case["name"]]


async def test_the_request_carries_the_key_and_the_subaccount(sparkpost: FakeSparkpost) -> None:
    await send(sparkpost, settings={"subaccount": "12"})
    [headers] = sparkpost.headers
    assert headers["Authorization"] == sparkpost.key
    assert headers["X-MSYS-SUBACCOUNT"] == "12"


async def test_a_success_that_takes_nobody_may_say_why(sparkpost: FakeSparkpost) -> None:
    outcome = await send(sparkpost, results(0, 1, rcpt_to_errors=[{"code": "1902"}]))
    assert isinstance(outcome, Rejected)
    assert (outcome.code, "suppressed" in outcome.text) == ("1902", True)


@pytest.mark.parametrize(("code", "known"), ERROR_CODES.items())
async def test_each_code_has_its_class(sparkpost: FakeSparkpost, code: str, known: Any) -> None:
    outcome = await send(sparkpost, refuse(code))
    if known.refusal is Refusal.TRY_LATER:
        assert isinstance(outcome, TryLater)
        assert not outcome.may_have_been_sent
    else:
        assert isinstance(outcome, Rejected)
        assert outcome.kind == RejectKind(known.refusal.value)
    assert (outcome.code, known.meaning in outcome.text) == (code, True)


@pytest.mark.parametrize("body", ["", "<html>", '{"errors": []}', '{"errors": [{"code": "9"}]}'])
async def test_the_status_of_a_limit_needs_no_code(sparkpost: FakeSparkpost, body: str) -> None:
    outcome = await send(sparkpost, http(420, body))
    assert isinstance(outcome, TryLater)
    assert not outcome.may_have_been_sent


async def test_a_wrong_key_pauses_the_channel(sparkpost: FakeSparkpost) -> None:
    outcome = await send(sparkpost, settings={"api_key": "wrong"})
    assert isinstance(outcome, Rejected)
    assert (outcome.kind, outcome.code) == (RejectKind.CONFIGURATION, "http_401")
    assert outcome.code in FACTS.pause_codes


async def test_a_code_of_the_future_pauses_it_too(sparkpost: FakeSparkpost) -> None:
    outcome = await send(sparkpost, refuse("9999", status=401))
    assert isinstance(outcome, Rejected)
    assert outcome.code in FACTS.pause_codes


def test_every_code_that_pauses_is_known_or_a_status() -> None:
    assert {code for code in PAUSE_CODES if not code.startswith("http_")} <= set(ERROR_CODES)


async def test_too_many_requests_are_put_off(sparkpost: FakeSparkpost) -> None:
    outcome = await send(sparkpost, refuse("", status=429, Retry_After="7"))
    assert isinstance(outcome, TryLater)
    assert (outcome.retry_after, outcome.may_have_been_sent) == (7.0, False)


@pytest.mark.parametrize("status", [500, 502, 503, 504])
@pytest.mark.parametrize("body", ["", "<html>", '{"errors": [{"code": "1400"}]}'])
async def test_a_failure_of_sparkposts_is_retried_and_may_have_been_sent(
    sparkpost: FakeSparkpost, status: int, body: str
) -> None:
    outcome = await send(sparkpost, http(status, body))
    assert isinstance(outcome, TryLater)
    assert (outcome.code, outcome.may_have_been_sent) == (f"http_{status}", True)


async def test_refused_metadata_is_told_apart_from_a_refused_message(
    sparkpost: FakeSparkpost,
) -> None:
    fault = refuse("1300", "Metadata exceeds its limit")
    with pytest.raises(MetadataRefused):
        await send(sparkpost, fault, metadata={"vdq_queue_item": "1"})
    assert isinstance(await send(sparkpost, fault), Rejected)


@pytest.mark.parametrize(
    "fault",
    [
        http(200, "<html>"),
        http(200, ""),
        http(200, "[]"),
        http(204),
        answer_with({"results": []}),
        results(0, 0),
        results(None, None),
        results(1, 1),
        results("x", "y"),
        results(1, 0, id=""),
        results(1, 0, id="a\nb"),
        faults.half_answer,
        faults.bomb,
        faults.hang,
        faults.hang_up,
    ],
)
async def test_an_answer_that_can_not_be_read_means_unknown(
    sparkpost: FakeSparkpost, fault: Fault
) -> None:
    """Field report 22."""
    assert isinstance(await send(sparkpost, fault), Unknown)
