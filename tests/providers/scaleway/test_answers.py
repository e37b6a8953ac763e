"""What Scaleway's answers to a message come to, over sockets."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from app.transports.contract import Accepted, Outcome, Rejected, RejectKind, TryLater, Unknown
from app.transports.email.refusals import Refusal
from app.transports.email.scaleway.codes import ERROR_CODES, PAUSE_CODES
from app.transports.email.scaleway.config import ScalewayConfig
from app.transports.email.scaleway.facts import FACTS
from app.transports.email.scaleway.transport import ScalewayTransport
from tests.fakes import twilio_faults as faults
from tests.fakes.api import answer_with
from tests.fakes.scaleway.server import FakeScaleway
from tests.fakes.twilio_faults import Fault, http
from tests.providers.api_account import line, send_one
from tests.providers.cases import answers_of
from tests.providers.scaleway.provider import refuse


@pytest.fixture
async def scaleway() -> AsyncIterator[FakeScaleway]:
    async with FakeScaleway() as fake:
        yield fake


async def send(
    scaleway: FakeScaleway, fault: Fault | None = None, key: str = "", **fields: Any
) -> Outcome:
    config = ScalewayConfig(
        secret_key=key or scaleway.key, project_id="proj-1", **line(scaleway, 1.0)
    )
    return await send_one(scaleway, ScalewayTransport(config), fault, **fields)


def emails(**fields: Any) -> Fault:
    return answer_with({"emails": [{"id": "s1", "mail_rcpt": "Ada@example.com", **fields}]})


CAPTURED = {
    "success": Accepted("s1", "Scaleway: accepted"),
    "invalid args": Rejected(
        "Scaleway: the message is not valid (invalid argument(s). subject constraint too short).",
        "invalid_arguments",
    ),
    "quota": Rejected(
        "Scaleway: the project has sent its share.", "quotas_exceeded", RejectKind.CONFIGURATION
    ),
}


@pytest.mark.parametrize("case", answers_of("scaleway"))
async def test_captured_answers_come_to_what_they_say(scaleway: FakeScaleway, case: Any) -> None:
    outcome = await send(scaleway, answer_with(case["body"], case["http_status"]))
    assert outcome == CAPTURED[case["name"]]


async def test_the_request_carries_the_key(scaleway: FakeScaleway) -> None:
    await send(scaleway)
    assert scaleway.headers[0]["X-Auth-Token"] == scaleway.key


@pytest.mark.parametrize("status", ["new", "sending", "sent", "unknown", "of the future"])
async def test_an_email_that_scaleway_took_is_accepted(scaleway: FakeScaleway, status: str) -> None:
    assert await send(scaleway, emails(status=status)) == Accepted("s1", "Scaleway: accepted")


@pytest.mark.parametrize("status", ["failed", "canceled"])
async def test_a_success_that_says_failure_is_a_failure(
    scaleway: FakeScaleway, status: str
) -> None:
    outcome = await send(scaleway, emails(status=status))
    assert outcome == Rejected(f"Scaleway: the message will not be sent ({status}).", "failed")


@pytest.mark.parametrize(("code", "known"), ERROR_CODES.items())
async def test_each_type_has_its_class(scaleway: FakeScaleway, code: str, known: Any) -> None:
    outcome = await send(scaleway, refuse(code))
    if known.refusal is Refusal.TRY_LATER:
        assert isinstance(outcome, TryLater)
        assert not outcome.may_have_been_sent
    else:
        assert isinstance(outcome, Rejected)
        assert outcome.kind == RejectKind(known.refusal.value)
    assert (outcome.code, known.meaning in outcome.text) == (code, True)


async def test_a_wrong_key_pauses_the_channel(scaleway: FakeScaleway) -> None:
    outcome = await send(scaleway, key="wrong")
    assert isinstance(outcome, Rejected)
    assert outcome.kind is RejectKind.CONFIGURATION
    assert outcome.code in FACTS.pause_codes


def test_every_code_that_pauses_is_known_or_a_status() -> None:
    assert {code for code in PAUSE_CODES if not code.startswith("http_")} <= set(ERROR_CODES)


async def test_too_many_requests_are_put_off(scaleway: FakeScaleway) -> None:
    outcome = await send(scaleway, refuse("", status=429, Retry_After="7"))
    assert isinstance(outcome, TryLater)
    assert (outcome.retry_after, outcome.may_have_been_sent) == (7.0, False)


@pytest.mark.parametrize("status", [500, 502, 503, 504])
@pytest.mark.parametrize("body", ["", "<html>", '{"type": "invalid_arguments"}'])
async def test_a_failure_of_scaleways_is_retried_and_may_have_been_sent(
    scaleway: FakeScaleway, status: int, body: str
) -> None:
    outcome = await send(scaleway, http(status, body))
    assert isinstance(outcome, TryLater)
    assert (outcome.code, outcome.may_have_been_sent) == (f"http_{status}", True)


@pytest.mark.parametrize(
    "fault",
    [
        http(200, "<html>"),
        http(200, ""),
        http(200, "[]"),
        http(204),
        answer_with({"emails": []}),
        answer_with({"emails": [5]}),
        emails(mail_rcpt="bob@example.com"),
        emails(id=None),
        emails(id="a\nb"),
        faults.half_answer,
        faults.bomb,
        faults.hang,
        faults.hang_up,
    ],
)
async def test_an_answer_that_can_not_be_read_means_unknown(
    scaleway: FakeScaleway, fault: Fault
) -> None:
    """Field report 22."""
    assert isinstance(await send(scaleway, fault), Unknown)
