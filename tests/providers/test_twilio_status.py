"""Asking Twilio for one message."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from uuid import uuid7

import pytest

from app.transports.contract import (
    Accepted,
    AttemptRef,
    CannotTell,
    EventType,
    Found,
    NotFound,
    Report,
)
from app.transports.sms.twilio import TwilioTransport
from tests.fakes import twilio_faults as faults
from tests.fakes.twilio import FakeMessage, FakeTwilio
from tests.fakes.twilio_faults import Fault
from tests.fakes.twilio_given import RECEIVER, an_sms, config_for, go

STRANGER = "SM" + "e" * 32


@pytest.fixture
async def twilio() -> AsyncIterator[FakeTwilio]:
    async with FakeTwilio() as twilio:
        yield twilio


@pytest.fixture
async def transport(twilio: FakeTwilio) -> AsyncIterator[TwilioTransport]:
    transport = TwilioTransport(config_for(twilio, connect_timeout=0.5, total_timeout=1.0))
    yield transport
    await transport.close()


async def send(transport: TwilioTransport) -> str:
    outcome = await transport.send(an_sms(), go)
    assert isinstance(outcome, Accepted)
    assert outcome.message_id
    return outcome.message_id


def attempt(message_id: str | None) -> AttemptRef:
    return AttemptRef(uuid7(), uuid7(), uuid7(), message_id, RECEIVER, datetime.now(UTC))


async def test_delivered_message_is_found_as_delivered(
    twilio: FakeTwilio, transport: TwilioTransport
) -> None:
    sid = await send(transport)
    twilio.messages[sid].status = "delivered"
    found = await transport.status(sid)
    assert isinstance(found, Found)
    [event] = found.events
    assert (found.message_id, event.message_id) == (sid, sid)
    assert (event.type, event.status) == (EventType.DELIVERED, "delivered")
    assert event.occurred_at is not None


async def test_undelivered_message_is_found_with_code_text_and_page(
    twilio: FakeTwilio, transport: TwilioTransport
) -> None:
    sid = await send(transport)
    twilio.messages[sid].status = "undelivered"
    twilio.messages[sid].error_code = 30005
    found = await transport.status(sid)
    assert isinstance(found, Found)
    [event] = found.events
    assert event.report is Report.FAILED
    assert (event.code, event.reason) == ("30005", "invalid")
    assert "https://www.twilio.com/docs/errors/30005" in event.text


async def test_three_messages_among_thousands_cost_three_requests(
    twilio: FakeTwilio, transport: TwilioTransport
) -> None:
    """Field report 72."""
    for number in range(5_000):
        sid = f"SM{number:032x}"
        twilio.messages[sid] = FakeMessage(sid, RECEIVER, "+15005550006", "", "")
    ours = [await send(transport) for _ in range(3)]
    twilio.for_sid[ours[1]] = faults.http(500)
    found = await asyncio.gather(*(transport.status(sid) for sid in ours))
    assert [type(answer) for answer in found] == [Found, CannotTell, Found]
    assert (twilio.requests["fetch"], twilio.requests["list"]) == (3, 0)


async def test_unknown_id_is_not_found(transport: TwilioTransport) -> None:
    assert await transport.status(STRANGER) == NotFound()


@pytest.mark.parametrize(
    "fault",
    [
        faults.http(404, "no such host"),
        faults.error(20003, 401, text="Authenticate"),
        faults.error(20429, 429, text="Too many"),
        faults.http(200, "<html>"),
        faults.http(302, headers={"Location": "/"}),
        faults.changed(account_sid="AC" + "f" * 32),
        faults.changed(sid=STRANGER),
        faults.hang,
        faults.hang_up,
    ],
)
async def test_doubtful_answer_tells_nothing(
    twilio: FakeTwilio, transport: TwilioTransport, fault: Fault
) -> None:
    sid = await send(transport)
    twilio.for_sid[sid] = fault
    assert isinstance(await transport.status(sid), CannotTell)


@pytest.mark.parametrize("sid", ["", "SM1", "../../Accounts", STRANGER + "/Media", "SM" + "E" * 32])
async def test_what_is_no_id_is_not_asked(
    twilio: FakeTwilio, transport: TwilioTransport, sid: str
) -> None:
    assert isinstance(await transport.status(sid), CannotTell)
    assert twilio.requests["fetch"] == 0


async def test_attempt_with_an_id_is_found_by_it(transport: TwilioTransport) -> None:
    sid = await send(transport)
    found = await transport.find(attempt(sid))
    assert isinstance(found, Found)
    assert found.message_id == sid


async def test_attempt_without_an_id_is_never_taken_for_not_sent(
    twilio: FakeTwilio, transport: TwilioTransport
) -> None:
    assert isinstance(await transport.find(attempt(None)), CannotTell)
    assert isinstance(await transport.find(attempt(STRANGER)), CannotTell)
    assert twilio.requests["list"] == 0
