"""Asking Postal for a message whose fate nobody recorded."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from app.transports.contract import AttemptRef, CannotTell, Found, LookUp
from app.transports.email.postal.config import PostalConfig
from app.transports.email.postal.transport import PostalTransport
from tests.fakes.postal.server import FakePostal
from tests.fakes.twilio_faults import Fault, hang, hang_up, http
from tests.providers.api_account import line
from tests.providers.emails import an_email, reference_to
from tests.providers.postal.provider import refuse

SENT = replace(reference_to(an_email()), message_id="812")


@pytest.fixture
async def postal() -> AsyncIterator[FakePostal]:
    async with FakePostal() as fake:
        yield fake


async def find(postal: FakePostal, attempt: AttemptRef = SENT, key: str = "") -> LookUp:
    config = PostalConfig(api_key=key or postal.key, **line(postal, 0.5))
    transport = PostalTransport(config)
    try:
        return await transport.find(attempt)
    finally:
        await transport.close()


def delivery(number: int, status: str, output: str = "") -> dict[str, Any]:
    return {
        "id": number,
        "status": status,
        "details": "words",
        "output": output,
        "timestamp": 1790000000.5,
    }


async def test_each_try_to_deliver_is_told(postal: FakePostal) -> None:
    postal.deliveries = [
        delivery(1, "SoftFail", "451 later"),
        delivery(2, "HardFail", "550 no"),
        delivery(3, "of the future"),
    ]
    answer = await find(postal)
    assert isinstance(answer, Found)
    assert [event.type.value for event in answer.events] == ["deferred", "bounced"]
    assert {event.attempt_key for event in answer.events} == {SENT.attempt_id}
    assert len({event.event_key for event in answer.events}) == 2
    assert answer.events[0].text == "Postal: words. 451 later"
    assert postal.questions == [{"id": 812}]


@pytest.mark.parametrize("message_id", [None, "", "x", "²", "-1"])
async def test_without_a_number_nothing_is_asked(
    postal: FakePostal, message_id: str | None
) -> None:
    assert isinstance(await find(postal, replace(SENT, message_id=message_id)), CannotTell)
    assert postal.questions == []


async def test_before_the_first_try_there_is_nothing_to_tell(postal: FakePostal) -> None:
    assert isinstance(await find(postal), CannotTell)


@pytest.mark.parametrize(
    "fault",
    [
        refuse("MessageNotFound"),
        http(200, "<html>"),
        http(200, '{"status": "success", "data": [1]}'),
        http(500),
        hang,
        hang_up,
    ],
)
async def test_an_answer_that_is_none_tells_nothing(postal: FakePostal, fault: Fault) -> None:
    postal.deliveries, postal.next_searches = [delivery(1, "Sent")], [fault] * 3
    assert isinstance(await find(postal), CannotTell)


async def test_a_wrong_key_tells_nothing(postal: FakePostal) -> None:
    postal.deliveries = [delivery(1, "Sent")]
    answer = await find(postal, key="canary")
    assert isinstance(answer, CannotTell)
    assert "canary" not in answer.text
