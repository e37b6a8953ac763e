"""Asking Mandrill for a message whose fate nobody recorded."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from uuid import uuid7

import pytest

from app.transports.contract import AttemptRef, CannotTell, EventType, Found, LookUp, OutboundEmail
from app.transports.email.mandrill.config import MandrillConfig
from app.transports.email.mandrill.events import EVENTS, STATES
from app.transports.email.mandrill.transport import MandrillTransport
from app.transports.email.tracking import MetadataEmailTrackingStrategy, TrackingKeys
from tests.fakes.mandrill.server import FakeMandrill
from tests.fakes.twilio_faults import Fault, hang, hang_up, http
from tests.providers.api_account import line
from tests.providers.emails import an_email, reference_to
from tests.providers.mandrill.provider import refuse
from tests.providers.mandrill.test_reports import EVENT, read


@pytest.fixture
async def mandrill() -> AsyncIterator[FakeMandrill]:
    async with FakeMandrill() as fake:
        yield fake


def transport(mandrill: FakeMandrill, key: str = "") -> MandrillTransport:
    return MandrillTransport(MandrillConfig(api_key=key or mandrill.key, **line(mandrill, 0.5)))


async def find(mandrill: FakeMandrill, attempt: AttemptRef, key: str = "") -> LookUp:
    asker = transport(mandrill, key)
    try:
        return await asker.find(attempt)
    finally:
        await asker.close()


def an_attempt() -> tuple[OutboundEmail, AttemptRef]:
    """An email as it is sent, with its keys, and what is known of the attempt."""
    key = uuid7()
    email = an_email(attempt_id=key, provider_key=key)
    tracked = MetadataEmailTrackingStrategy().attach(email, TrackingKeys(email.item_id, key))
    return tracked, replace(reference_to(email), started_at=datetime(2026, 7, 1, 1, tzinfo=UTC))


async def sent(mandrill: FakeMandrill, email: OutboundEmail) -> str:
    sender = transport(mandrill)
    outcome = await sender.send(email, lambda: None)
    await sender.close()
    return str(outcome.message_id)  # type: ignore[union-attr]  # accepted, or the test fails


async def test_a_message_is_found_by_the_key_that_it_carries(mandrill: FakeMandrill) -> None:
    email, attempt = an_attempt()
    await sent(mandrill, an_attempt()[0])
    message_id = await sent(mandrill, email)
    answer = await find(mandrill, attempt)
    assert isinstance(answer, Found)
    assert answer.message_id == message_id
    [event] = answer.events
    assert (event.type, event.item_key, event.attempt_key) == (
        EventType.SENT,
        attempt.item_id,
        attempt.attempt_id,
    )


async def test_the_search_is_for_this_receiver_from_the_day_before(
    mandrill: FakeMandrill,
) -> None:
    await find(mandrill, an_attempt()[1])
    [asked] = mandrill.questions
    assert (asked["query"], asked["date_from"]) == (
        "full_email:receiver@example.com",
        "2026-06-30",
    )


async def test_absence_tells_nothing(mandrill: FakeMandrill) -> None:
    """The search lags behind."""
    email, attempt = an_attempt()
    await sent(mandrill, email)
    mandrill.hidden = True
    assert isinstance(await find(mandrill, attempt), CannotTell)
    assert isinstance(await find(mandrill, an_attempt()[1]), CannotTell)


@pytest.mark.parametrize(("state", "status"), [*STATES.items(), ("of the future", "send")])
async def test_what_became_of_it_is_told_as_its_webhook_would(
    mandrill: FakeMandrill, state: str, status: str
) -> None:
    email, attempt = an_attempt()
    message_id = await sent(mandrill, email)
    mandrill.states[message_id] = state
    answer = await find(mandrill, replace(attempt, message_id=message_id))
    assert isinstance(answer, Found)
    [event] = answer.events
    assert event.type is EVENTS[status][0]
    msg = EVENT["msg"] | {"email": attempt.recipient}
    assert event.event_key == read(event=status, _id=message_id, msg=msg).event_key


async def test_an_id_that_mandrill_forgot_tells_nothing(mandrill: FakeMandrill) -> None:
    known = replace(an_attempt()[1], message_id="forgotten")
    assert isinstance(await find(mandrill, known), CannotTell)


@pytest.mark.parametrize("message_id", [None, "m1"])
@pytest.mark.parametrize(
    "fault",
    [
        refuse("Invalid_Key", "canary"),
        http(200, "<html>"),
        http(200, '{"_id": 1}'),
        http(200, '[{"_id": 1}, 2]'),
        http(429),
        hang,
        hang_up,
    ],
)
async def test_an_answer_that_is_none_tells_nothing(
    mandrill: FakeMandrill, fault: Fault, message_id: str | None
) -> None:
    mandrill.next_searches = [fault] * 3
    answer = await find(mandrill, replace(an_attempt()[1], message_id=message_id))
    assert isinstance(answer, CannotTell)
    assert "canary" not in answer.text
