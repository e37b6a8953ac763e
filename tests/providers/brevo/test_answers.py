"""What Brevo's answers to a message come to, over sockets."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from app.transports.contract import Accepted, Outcome, Rejected, RejectKind, TryLater, Unknown
from app.transports.email.brevo.codes import ERROR_CODES, PAUSE_CODES
from app.transports.email.brevo.config import BrevoConfig
from app.transports.email.brevo.facts import FACTS
from app.transports.email.brevo.transport import BrevoTransport
from app.transports.email.refusals import Refusal
from tests.fakes import twilio_faults as faults
from tests.fakes.api import answer_with
from tests.fakes.brevo.server import FakeBrevo
from tests.fakes.twilio_faults import Fault, http
from tests.providers.api_account import line, send_one
from tests.providers.brevo.provider import refuse
from tests.providers.cases import answers_of
from tests.providers.emails import an_email


@pytest.fixture
async def brevo() -> AsyncIterator[FakeBrevo]:
    async with FakeBrevo() as fake:
        yield fake


def transport(brevo: FakeBrevo, key: str = "") -> BrevoTransport:
    return BrevoTransport(BrevoConfig(api_key=key or brevo.key, **line(brevo, 1.0)))


async def send(brevo: FakeBrevo, fault: Fault | None = None, **fields: Any) -> Outcome:
    return await send_one(brevo, transport(brevo), fault, **fields)


CAPTURED = {
    "success": Accepted("<202609211413.1@smtp-relay.mailin.fr>", "Brevo: accepted"),
    "bad sender": Rejected(
        "Brevo: the message is not valid (sender is not valid).", "invalid_parameter"
    ),
    "bad key": Rejected(
        "Brevo: the API key is wrong, or this server's address is not allowed.",
        "unauthorized",
        RejectKind.CONFIGURATION,
    ),
    "scheduled/empty body": Accepted("<2@smtp-relay.mailin.fr>", "Brevo: accepted"),
}


@pytest.mark.parametrize("case", answers_of("brevo"))
async def test_captured_answers_come_to_what_they_say(brevo: FakeBrevo, case: Any) -> None:
    fault = answer_with(case["body"], case["http_status"], **case["headers"])
    outcome = await send(brevo, fault)
    if case["name"] == "batch messageVersions":
        # Nobody asked for several messages: there is no telling which one is ours.
        assert isinstance(outcome, Unknown)
    else:
        assert outcome == CAPTURED[case["name"]]


async def test_the_request_carries_the_key(brevo: FakeBrevo) -> None:
    await send(brevo)
    assert brevo.headers[0]["api-key"] == brevo.key


@pytest.mark.parametrize(("code", "known"), ERROR_CODES.items())
async def test_each_code_has_its_class(brevo: FakeBrevo, code: str, known: Any) -> None:
    outcome = await send(brevo, refuse(code))
    if known.refusal is Refusal.TRY_LATER:
        assert isinstance(outcome, TryLater)
        assert not outcome.may_have_been_sent
    else:
        assert isinstance(outcome, Rejected)
        assert outcome.kind == RejectKind(known.refusal.value)
    assert (outcome.code, known.meaning in outcome.text) == (code, True)


async def test_a_wrong_key_pauses_the_channel(brevo: FakeBrevo) -> None:
    outcome = await send_one(brevo, transport(brevo, "wrong"))
    assert isinstance(outcome, Rejected)
    assert outcome.kind is RejectKind.CONFIGURATION
    assert outcome.code in FACTS.pause_codes


def test_every_code_that_pauses_is_known_or_a_status() -> None:
    assert {code for code in PAUSE_CODES if not code.startswith("http_")} <= set(ERROR_CODES)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"x_sib_ratelimit_reset": "17"}, 17.0),
        ({"Retry_After": "9", "x_sib_ratelimit_reset": "17"}, 9.0),
        ({"x_sib_ratelimit_reset": "soon"}, None),
        ({}, None),
    ],
)
async def test_too_many_requests_are_put_off_as_long_as_brevo_says(
    brevo: FakeBrevo, headers: dict[str, str], seconds: float | None
) -> None:
    outcome = await send(brevo, refuse("too_many_requests", status=429, **headers))
    assert isinstance(outcome, TryLater)
    assert (outcome.retry_after, outcome.may_have_been_sent) == (seconds, False)


async def test_a_repetition_that_brevo_knows_was_taken_before(brevo: FakeBrevo) -> None:
    """The answer to the first one was lost."""
    email, sender = an_email(), transport(brevo)
    first = await sender.send(email, lambda: None)
    second = await sender.send(email, lambda: None)
    await sender.close()
    assert isinstance(first, Accepted)
    assert isinstance(second, Accepted)
    assert second.message_id is None
    assert len(brevo.taken) == 1


async def test_a_repetition_is_recognised_by_the_whole_answer(brevo: FakeBrevo) -> None:
    outcome = await send(brevo, refuse("duplicate_parameter", status=422))
    assert isinstance(outcome, Rejected)


@pytest.mark.parametrize("status", [500, 502, 503, 504])
@pytest.mark.parametrize("body", ["", "<html>", '{"code": "invalid_parameter"}'])
async def test_a_failure_of_brevos_is_retried_and_may_have_been_sent(
    brevo: FakeBrevo, status: int, body: str
) -> None:
    outcome = await send(brevo, http(status, body))
    assert isinstance(outcome, TryLater)
    assert (outcome.code, outcome.may_have_been_sent) == (f"http_{status}", True)


@pytest.mark.parametrize(
    "fault",
    [
        http(201, "<html>"),
        http(201, ""),
        http(204),
        answer_with([]),
        answer_with({"messageId": ""}),
        answer_with({"messageId": "a\r\nb"}),
        answer_with({"messageId": "x" * 300}),
        faults.half_answer,
        faults.bomb,
        faults.hang,
        faults.hang_up,
    ],
)
async def test_an_answer_that_can_not_be_read_means_unknown(brevo: FakeBrevo, fault: Fault) -> None:
    """Field report 22."""
    assert isinstance(await send(brevo, fault), Unknown)
