"""What Resend's answers to a message come to, over sockets."""

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
from app.transports.email.resend.codes import ERROR_CODES, PAUSE_CODES
from app.transports.email.resend.config import ResendConfig
from app.transports.email.resend.transport import ResendTransport
from tests.fakes import twilio_faults as faults
from tests.fakes.api import answer_with
from tests.fakes.resend import FakeResend
from tests.fakes.twilio_faults import Fault
from tests.providers.api_account import line, send_one
from tests.providers.cases import answers_of
from tests.providers.emails import an_email
from tests.providers.resend.provider import refuse

METADATA = {"vdq_queue_item": "i", "vdq_attempt": "a"}

MEANT: dict[str, type[Outcome]] = {
    "success": Accepted,
    "validation": Rejected,
    "rate limit": TryLater,
    "idempotency conflict": TryLater,
    "batch": Unknown,
}
"""An answer to a batch names no message of ours."""


@pytest.fixture
async def resend() -> AsyncIterator[FakeResend]:
    async with FakeResend() as fake:
        yield fake


def transport_to(resend: FakeResend) -> ResendTransport:
    return ResendTransport(ResendConfig(api_key=resend.key, **line(resend)))


async def outcome_of(resend: FakeResend, fault: Fault | None, **fields: Any) -> Outcome:
    return await send_one(resend, transport_to(resend), fault, **fields)


@pytest.mark.parametrize("case", answers_of("resend"))
async def test_an_answer_is_what_it_says(resend: FakeResend, case: dict[str, Any]) -> None:
    headers = {name.replace("-", "_"): value for name, value in case["headers"].items()}
    fault = answer_with(case["body"], case["http_status"], **headers)

    outcome = await outcome_of(resend, fault)

    assert isinstance(outcome, MEANT[case["name"]])
    if isinstance(outcome, Accepted):
        assert outcome.message_id == case["parsed"]["message_id"]


@pytest.mark.parametrize("name", ERROR_CODES)
async def test_each_error_of_the_table_is_what_the_table_says(
    resend: FakeResend, name: str
) -> None:
    native, _, status = name.partition("/")
    outcome = await outcome_of(resend, refuse(native, "x", status=int(status or 422)))

    assert outcome.code == name
    refusal = ERROR_CODES[name].refusal.value
    if isinstance(outcome, Rejected):
        assert outcome.kind.value == refusal
    elif isinstance(outcome, TryLater):
        assert outcome.may_have_been_sent is (refusal == "in_doubt")
    else:
        assert (type(outcome), refusal) == (Unknown, "unknown")


@pytest.mark.parametrize("status", [401, 403, 404, 302])
async def test_an_account_that_is_not_known_is_no_fault_of_the_message(
    resend: FakeResend, status: int
) -> None:
    outcome = await outcome_of(resend, faults.http(status, "no"))
    assert isinstance(outcome, Rejected)
    assert outcome.kind is RejectKind.CONFIGURATION


async def test_a_wrong_key_pauses(resend: FakeResend) -> None:
    config = ResendConfig(api_key="wrong", **line(resend))
    outcome = await send_one(resend, ResendTransport(config))
    assert outcome.code in PAUSE_CODES


@pytest.mark.parametrize("headers", [{"retry_after": "7"}, {"ratelimit_reset": "7"}])
async def test_too_many_requests_say_when_to_ask_again(
    resend: FakeResend, headers: dict[str, str]
) -> None:
    outcome = await outcome_of(resend, refuse("rate_limit_exceeded", status=429, **headers))
    assert isinstance(outcome, TryLater)
    assert (outcome.retry_after, outcome.may_have_been_sent) == (7.0, False)


@pytest.mark.parametrize("status", [500, 502, 503])
async def test_from_500_on_no_name_is_believed(resend: FakeResend, status: int) -> None:
    outcome = await outcome_of(resend, refuse("validation_error", status=status))
    assert outcome == TryLater(outcome.text, f"http_{status}", may_have_been_sent=True)


@pytest.mark.parametrize(
    "fault",
    [
        answer_with({}),
        answer_with({"id": None}),
        answer_with({"id": ["x"]}),
        answer_with([1]),
        faults.http(200),
        faults.http(200, "<html>"),
        faults.half_answer,
        faults.bomb,
    ],
)
async def test_a_success_that_names_no_message_is_unknown(resend: FakeResend, fault: Fault) -> None:
    assert isinstance(await outcome_of(resend, fault), Unknown)


async def test_refused_metadata_is_told(resend: FakeResend) -> None:
    resend.refuses_tags = True
    with pytest.raises(MetadataRefused):
        await outcome_of(resend, None, metadata=METADATA)
    assert isinstance(await outcome_of(resend, None), Accepted)


async def test_a_message_is_taken_once_however_often_it_is_handed_over(
    resend: FakeResend,
) -> None:
    transport, email = transport_to(resend), an_email(metadata=METADATA)

    first = await transport.send(email, lambda: None)
    second = await transport.send(email, lambda: None)
    await transport.close()

    assert isinstance(first, Accepted)
    assert first == second
    assert len(resend.taken) == 1


async def test_without_metadata_a_message_has_another_key(resend: FakeResend) -> None:
    transport, email = transport_to(resend), an_email(metadata=METADATA)
    await transport.send(email, lambda: None)
    bare = an_email(**{n: getattr(email, n) for n in ("item_id", "attempt_id", "provider_key")})

    outcome = await transport.send(bare, lambda: None)
    await transport.close()

    assert isinstance(outcome, Accepted)
