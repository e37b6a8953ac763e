"""What Postal's answers to a message come to, over sockets."""

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
from app.transports.email.postal.codes import ERROR_CODES, PAUSE_CODES
from app.transports.email.postal.config import PostalConfig
from app.transports.email.postal.facts import FACTS
from app.transports.email.postal.transport import PostalTransport
from tests.fakes import twilio_faults as faults
from tests.fakes.api import answer_with
from tests.fakes.postal.server import FakePostal, success
from tests.fakes.twilio_faults import Fault, http
from tests.providers.api_account import line, send_one
from tests.providers.cases import answers_of
from tests.providers.postal.provider import refuse


@pytest.fixture
async def postal() -> AsyncIterator[FakePostal]:
    async with FakePostal() as fake:
        yield fake


async def send(
    postal: FakePostal, fault: Fault | None = None, key: str = "", **fields: Any
) -> Outcome:
    config = PostalConfig(api_key=key or postal.key, **line(postal, 1.0))
    return await send_one(postal, PostalTransport(config), fault, **fields)


CAPTURED = {
    "success": Accepted("812", "Postal: accepted"),
    "error is HTTP 200": Rejected("Postal: the message has no sender.", "FromAddressMissing"),
}


@pytest.mark.parametrize("case", answers_of("postal"))
async def test_captured_answers_come_to_what_they_say(postal: FakePostal, case: Any) -> None:
    outcome = await send(postal, answer_with(case["body"], case["http_status"]))
    assert outcome == CAPTURED[case["name"]]


async def test_the_request_carries_the_key(postal: FakePostal) -> None:
    await send(postal)
    assert postal.headers[0]["X-Server-API-Key"] == postal.key


async def test_a_receiver_is_recognised_in_another_case(postal: FakePostal) -> None:
    ids = {"ADA@example.com": {"id": 5}, "bob@example.com": {"id": 6}}
    outcome = await send(postal, answer_with(success({"messages": ids})))
    assert outcome == Accepted("5", "Postal: accepted")


@pytest.mark.parametrize(("code", "known"), ERROR_CODES.items())
async def test_each_code_has_its_class(postal: FakePostal, code: str, known: Any) -> None:
    outcome = await send(postal, refuse(code))
    assert isinstance(outcome, Rejected)
    assert (outcome.kind, outcome.code) == (RejectKind(known.refusal.value), code)
    assert known.meaning in outcome.text


async def test_an_error_without_a_code_is_told_in_postals_words(postal: FakePostal) -> None:
    outcome = await send(postal, refuse(None, "`data` parameter is required", "parameter-error"))
    assert outcome == Rejected(
        "Postal: the request is not complete (`data` parameter is required).", "parameter-error"
    )


async def test_an_error_of_the_future_is_a_refusal(postal: FakePostal) -> None:
    outcome = await send(postal, refuse("OfTheFuture"))
    assert isinstance(outcome, Rejected)
    assert outcome.code == "OfTheFuture"


async def test_a_wrong_key_pauses_the_channel_and_is_not_quoted(postal: FakePostal) -> None:
    outcome = await send(postal, key="canary")
    assert isinstance(outcome, Rejected)
    assert (outcome.kind, outcome.code) == (RejectKind.CONFIGURATION, "InvalidServerAPIKey")
    assert outcome.code in FACTS.pause_codes
    assert "canary" not in repr(outcome)


def test_every_code_that_pauses_is_known_or_a_status() -> None:
    assert {code for code in PAUSE_CODES if not code.startswith("http_")} <= set(ERROR_CODES)


@pytest.mark.parametrize("status", [500, 502, 503, 504])
@pytest.mark.parametrize("body", ["", "<html>", '{"status": "error", "data": {"code": "X"}}'])
async def test_a_failure_of_postals_is_retried_and_may_have_been_sent(
    postal: FakePostal, status: int, body: str
) -> None:
    outcome = await send(postal, http(status, body))
    assert isinstance(outcome, TryLater)
    assert (outcome.code, outcome.may_have_been_sent) == (f"http_{status}", True)


async def test_a_wrong_address_is_a_matter_of_configuration(postal: FakePostal) -> None:
    outcome = await send(postal, http(404, "<html>"))
    assert isinstance(outcome, Rejected)
    assert outcome.kind is RejectKind.CONFIGURATION


async def test_too_many_requests_are_put_off(postal: FakePostal) -> None:
    outcome = await send(postal, http(429, headers={"Retry-After": "7"}))
    assert isinstance(outcome, TryLater)
    assert (outcome.retry_after, outcome.may_have_been_sent) == (7.0, False)


async def test_metadata_are_refused_without_asking(postal: FakePostal) -> None:
    with pytest.raises(MetadataRefused):
        await send(postal, metadata={"vdq_queue_item": "1"})
    assert postal.bodies == []


@pytest.mark.parametrize(
    "fault",
    [
        http(200, "<html>"),
        http(200, ""),
        http(200, "[]"),
        http(200, "{}"),
        answer_with({"status": "of the future"}),
        answer_with(success([])),
        answer_with(success({"messages": {}})),
        answer_with(success({"messages": {"ada@example.com": {"id": None}}})),
        answer_with(success({"messages": {"ada@example.com": 5}})),
        answer_with(success({"messages": {"a@x.example": {"id": 1}, "b@x.example": {"id": 2}}})),
        faults.half_answer,
        faults.bomb,
        faults.hang,
        faults.hang_up,
    ],
)
async def test_an_answer_that_can_not_be_read_means_unknown(
    postal: FakePostal, fault: Fault
) -> None:
    """Field report 22."""
    assert isinstance(await send(postal, fault), Unknown)
