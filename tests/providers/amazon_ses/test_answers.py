"""What the answers of Amazon SES to a message come to, over sockets."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from app.transports.contract import Accepted, Outcome, Rejected, RejectKind, TryLater, Unknown
from app.transports.email.amazon_ses.codes import ERROR_CODES, PAUSE_CODES
from app.transports.email.amazon_ses.config import AmazonSesConfig
from app.transports.email.amazon_ses.transport import AmazonSesTransport
from tests.fakes import twilio_faults as faults
from tests.fakes.amazon_ses import KEY_ID, REGION, FakeAmazonSes
from tests.fakes.api import answer_with
from tests.fakes.twilio_faults import Fault
from tests.providers.amazon_ses.provider import refuse
from tests.providers.api_account import line, send_one
from tests.providers.cases import answers_of

MEANT: dict[str, type[Outcome]] = {
    "success": Accepted,
    "throttled": TryLater,
    "rejected content": Rejected,
}


@pytest.fixture
async def ses() -> AsyncIterator[FakeAmazonSes]:
    async with FakeAmazonSes() as fake:
        yield fake


def transport_to(ses: FakeAmazonSes, **settings: Any) -> AmazonSesTransport:
    given: dict[str, Any] = {
        "access_key_id": KEY_ID,
        "secret_access_key": ses.secret,
        "region": REGION,
        **line(ses),
    }
    return AmazonSesTransport(AmazonSesConfig(**(given | settings)))


async def outcome_of(ses: FakeAmazonSes, fault: Fault | None, **fields: Any) -> Outcome:
    return await send_one(ses, transport_to(ses), fault, **fields)


@pytest.mark.parametrize("case", answers_of("amazon_ses"))
async def test_an_answer_is_what_it_says(ses: FakeAmazonSes, case: dict[str, Any]) -> None:
    headers = {name.replace("-", "_"): value for name, value in case["headers"].items()}
    outcome = await outcome_of(ses, answer_with(case["body"], case["http_status"], **headers))

    assert isinstance(outcome, MEANT[case["name"]])
    if isinstance(outcome, Accepted):
        assert outcome.message_id == case["parsed"]["message_id"]


@pytest.mark.parametrize("token", ["", "a-session-token"])
async def test_a_request_is_signed_as_aws_wants_it(ses: FakeAmazonSes, token: str) -> None:
    outcome = await send_one(ses, transport_to(ses, session_token=token))
    assert isinstance(outcome, Accepted)
    assert ses.headers[0].get("X-Amz-Security-Token", "") == token


@pytest.mark.parametrize(
    "settings",
    [
        {"secret_access_key": "wrong"},
        {"access_key_id": "AKIAWRONGWRONGWR"},
        {"region": "us-east-1"},
    ],
)
async def test_wrong_credentials_pause(ses: FakeAmazonSes, settings: dict[str, str]) -> None:
    outcome = await send_one(ses, transport_to(ses, **settings))
    assert isinstance(outcome, Rejected)
    assert outcome.kind is RejectKind.CONFIGURATION
    assert outcome.code in PAUSE_CODES
    assert ses.taken == []


@pytest.mark.parametrize("name", ERROR_CODES)
async def test_each_error_of_the_table_is_what_the_table_says(
    ses: FakeAmazonSes, name: str
) -> None:
    outcome = await outcome_of(ses, refuse(f"{name}:http://internal.amazon.com/", "x"))
    assert outcome.code == name
    if isinstance(outcome, Rejected):
        assert outcome.kind.value == ERROR_CODES[name].refusal.value
    else:
        assert isinstance(outcome, TryLater)
        assert ERROR_CODES[name].refusal.value == "try_later"


async def test_a_name_may_stand_in_the_body(ses: FakeAmazonSes) -> None:
    body = {"__type": "com.amazonaws.ses#MessageRejected", "Message": "virus"}
    outcome = await outcome_of(ses, answer_with(body, 400))
    assert isinstance(outcome, Rejected)
    assert outcome.code == "MessageRejected"
    assert "virus" in outcome.text


@pytest.mark.parametrize(
    ("text", "wait"),
    [("Maximum sending rate exceeded.", None), ("Daily message quota exceeded.", 600.0)],
)
async def test_a_quota_of_the_day_takes_longer(
    ses: FakeAmazonSes, text: str, wait: float | None
) -> None:
    outcome = await outcome_of(ses, refuse("TooManyRequestsException", text, status=429))
    assert isinstance(outcome, TryLater)
    assert (outcome.retry_after, outcome.may_have_been_sent) == (wait, False)


@pytest.mark.parametrize("status", [500, 503])
async def test_from_500_on_the_message_may_have_been_taken(ses: FakeAmazonSes, status: int) -> None:
    outcome = await outcome_of(ses, refuse("MessageRejected", status=status))
    assert outcome == TryLater(outcome.text, f"http_{status}", may_have_been_sent=True)


@pytest.mark.parametrize(
    "fault",
    [
        answer_with({}),
        answer_with({"MessageId": None}),
        answer_with([]),
        faults.http(200),
        faults.http(200, "<html>"),
        faults.half_answer,
    ],
)
async def test_a_success_that_names_no_message_is_unknown(ses: FakeAmazonSes, fault: Fault) -> None:
    assert isinstance(await outcome_of(ses, fault), Unknown)
