"""Asking Brevo for a message whose fate nobody recorded."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from app.transports.contract import AttemptRef, CannotTell, EventType, Found, LookUp
from app.transports.email.brevo.config import BrevoConfig
from app.transports.email.brevo.events import EVENTS, LISTED
from app.transports.email.brevo.transport import BrevoTransport
from tests.fakes.brevo.server import FakeBrevo
from tests.fakes.twilio_faults import Fault, hang, hang_up, http
from tests.providers.api_account import line
from tests.providers.brevo.test_reports import read
from tests.providers.emails import an_email, reference_to

ID = "<1@smtp-relay.mailin.fr>"
SENT = replace(reference_to(an_email()), message_id=ID, recipient="Ada@example.com")


@pytest.fixture
async def brevo() -> AsyncIterator[FakeBrevo]:
    async with FakeBrevo() as fake:
        yield fake


async def find(brevo: FakeBrevo, attempt: AttemptRef = SENT, key: str = "") -> LookUp:
    transport = BrevoTransport(BrevoConfig(api_key=key or brevo.key, **line(brevo, 0.5)))
    try:
        return await transport.find(attempt)
    finally:
        await transport.close()


def happened(event: str, **changes: Any) -> dict[str, Any]:
    return {
        "email": "ada@example.com",
        "date": "2026-09-21T14:13:20.000Z",
        "messageId": ID,
        "event": event,
        **changes,
    }


@pytest.mark.parametrize(("name", "status"), LISTED.items())
async def test_what_became_of_it_is_told_as_its_webhook_would(
    brevo: FakeBrevo, name: str, status: str
) -> None:
    brevo.happened = [happened(name, reason="550 no")]
    answer = await find(brevo)
    assert isinstance(answer, Found)
    [event] = answer.events
    assert (event.type, event.text) == (EVENTS[status][0], "Brevo: 550 no")
    assert (event.item_key, event.attempt_key) == (SENT.item_id, SENT.attempt_id)
    pushed = read(event=status, ts_epoch=1790000000000)
    assert event.event_key == pushed.event_key


async def test_it_is_asked_for_by_its_id(brevo: FakeBrevo) -> None:
    brevo.happened = [happened("requests"), happened("delivered")]
    answer = await find(brevo)
    assert isinstance(answer, Found)
    assert [event.type for event in answer.events] == [EventType.QUEUED, EventType.DELIVERED]
    assert brevo.queries == [{"messageId": ID, "limit": "100"}]


async def test_without_an_id_nothing_is_asked(brevo: FakeBrevo) -> None:
    assert isinstance(await find(brevo, replace(SENT, message_id=None)), CannotTell)
    assert brevo.queries == []


async def test_other_messages_and_unknown_events_are_left_out(brevo: FakeBrevo) -> None:
    brevo.happened = [happened("delivered", messageId="<2@x>"), happened("of the future")]
    assert isinstance(await find(brevo), CannotTell)


@pytest.mark.parametrize(
    "fault",
    [http(200, "<html>"), http(200, '{"events": [1]}'), http(500), http(429), hang, hang_up],
)
async def test_an_answer_that_is_none_tells_nothing(brevo: FakeBrevo, fault: Fault) -> None:
    brevo.happened, brevo.next_searches = [happened("delivered")], [fault] * 3
    assert isinstance(await find(brevo), CannotTell)


async def test_a_wrong_key_tells_nothing(brevo: FakeBrevo) -> None:
    brevo.happened = [happened("delivered")]
    answer = await find(brevo, key="canary")
    assert isinstance(answer, CannotTell)
    assert "canary" not in answer.text
