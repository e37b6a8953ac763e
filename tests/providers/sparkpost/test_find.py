"""Asking SparkPost for a message whose fate nobody recorded."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from app.transports.contract import AttemptRef, CannotTell, EventType, Found, LookUp
from app.transports.email.sparkpost.config import SparkpostConfig
from app.transports.email.sparkpost.transport import SparkpostTransport
from tests.fakes.sparkpost.server import FakeSparkpost
from tests.fakes.twilio_faults import Fault, hang, hang_up, http
from tests.providers.api_account import line
from tests.providers.emails import an_email, reference_to
from tests.providers.sparkpost.test_reports import EVENT, read

ATTEMPT = replace(reference_to(an_email()), started_at=datetime(2026, 7, 1, 12, tzinfo=UTC))
KEYS = {"vdq_attempt": str(ATTEMPT.provider_key)}
ID = EVENT["transmission_id"]


@pytest.fixture
async def sparkpost() -> AsyncIterator[FakeSparkpost]:
    async with FakeSparkpost() as fake:
        yield fake


async def find(sparkpost: FakeSparkpost, attempt: AttemptRef = ATTEMPT, key: str = "") -> LookUp:
    config = SparkpostConfig(api_key=key or sparkpost.key, **line(sparkpost, 0.5))
    transport = SparkpostTransport(config)
    try:
        return await transport.find(attempt)
    finally:
        await transport.close()


def happened(**changes: Any) -> dict[str, Any]:
    return EVENT | {"timestamp": "2026-09-21T14:13:20.000Z", "rcpt_meta": KEYS} | changes


async def test_a_message_is_found_by_the_key_that_it_carries(sparkpost: FakeSparkpost) -> None:
    other = {"vdq_attempt": str(ATTEMPT.item_id)}
    sparkpost.happened = [
        happened(rcpt_meta=other, transmission_id="8"),
        happened(type="injection", event_id="1"),
        happened(),
    ]
    answer = await find(sparkpost)
    assert isinstance(answer, Found)
    assert answer.message_id == ID
    assert [event.type for event in answer.events] == [EventType.QUEUED, EventType.DELIVERED]
    assert {event.attempt_key for event in answer.events} == {ATTEMPT.attempt_id}
    assert {event.item_key for event in answer.events} == {ATTEMPT.item_id}


async def test_what_became_of_it_is_told_as_its_webhook_would(sparkpost: FakeSparkpost) -> None:
    sparkpost.happened = [happened()]
    answer = await find(sparkpost, replace(ATTEMPT, message_id=ID))
    assert isinstance(answer, Found)
    assert answer.events[0].event_key == read().event_key
    assert answer.events[0].occurred_at == read().occurred_at


async def test_it_is_asked_for_by_receiver_or_by_id(sparkpost: FakeSparkpost) -> None:
    await find(sparkpost)
    await find(sparkpost, replace(ATTEMPT, message_id=ID))
    since = {"from": "2026-06-30T12:00:00Z", "per_page": "1000"}
    assert sparkpost.queries == [
        {"recipients": "receiver@example.com", **since},
        {"transmissions": ID, **since},
    ]


@pytest.mark.parametrize(
    "row",
    [
        happened(rcpt_meta={}),
        happened(rcpt_meta="x"),
        happened(transmission_id=None),
        happened(type=None),
    ],
)
async def test_a_row_that_is_not_surely_ours_tells_nothing(
    sparkpost: FakeSparkpost, row: dict[str, Any]
) -> None:
    sparkpost.happened = [row]
    assert isinstance(await find(sparkpost), CannotTell)


async def test_absence_tells_nothing(sparkpost: FakeSparkpost) -> None:
    assert isinstance(await find(sparkpost), CannotTell)
    sparkpost.happened = [happened(transmission_id="8")]
    assert isinstance(await find(sparkpost, replace(ATTEMPT, message_id=ID)), CannotTell)


@pytest.mark.parametrize(
    "fault",
    [http(200, "<html>"), http(200, '{"results": [1]}'), http(500), http(429), hang, hang_up],
)
async def test_an_answer_that_is_none_tells_nothing(sparkpost: FakeSparkpost, fault: Fault) -> None:
    sparkpost.happened, sparkpost.next_searches = [happened()], [fault] * 3
    assert isinstance(await find(sparkpost), CannotTell)


async def test_a_wrong_key_tells_nothing(sparkpost: FakeSparkpost) -> None:
    sparkpost.happened = [happened()]
    answer = await find(sparkpost, key="canary")
    assert isinstance(answer, CannotTell)
    assert "canary" not in answer.text
