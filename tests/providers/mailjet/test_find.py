"""Asking Mailjet for a message."""

from dataclasses import replace

import pytest

from app.transports.contract import Accepted, CannotTell, Found, LookUp
from tests.fakes import twilio_faults as faults
from tests.fakes.api import answer_with
from tests.fakes.mailjet import FakeMailjet
from tests.fakes.twilio_faults import Fault
from tests.providers.emails import an_email, reference_to
from tests.providers.mailjet.test_answers import transport_to


async def ask(mailjet: FakeMailjet, fault: Fault | None = None, *, by_id: bool = True) -> LookUp:
    """Send two messages, and ask for the second."""
    transport, email = transport_to(mailjet), an_email()
    try:
        await transport.send(an_email(), lambda: None)
        outcome = await transport.send(email, lambda: None)
        assert isinstance(outcome, Accepted)
        mailjet.next_searches = [fault] if fault else []
        message_id = outcome.message_id if by_id else None
        return await transport.find(replace(reference_to(email), message_id=message_id))
    finally:
        await transport.close()


@pytest.mark.parametrize("by_id", [True, False])
@pytest.mark.parametrize("ignores_filters", [True, False])
async def test_a_message_is_found_by_its_id_or_its_key(by_id: bool, ignores_filters: bool) -> None:
    async with FakeMailjet() as mailjet:
        mailjet.ignores_filters = ignores_filters
        found = await ask(mailjet, by_id=by_id)
    assert isinstance(found, Found)
    [event] = found.events
    assert (event.type.value, event.message_id) == ("delivered", found.message_id)
    assert event.attempt_key


@pytest.mark.parametrize(
    ("status", "kind"),
    [("queued", "queued"), ("hardbounced", "bounced"), ("Blocked", "rejected"), ("x", "unknown")],
)
async def test_a_status_is_an_event(status: str, kind: str) -> None:
    async with FakeMailjet() as mailjet:
        mailjet.status = status
        found = await ask(mailjet)
    assert isinstance(found, Found)
    assert found.events[0].type.value == kind


@pytest.mark.parametrize(
    "fault",
    [
        faults.http(500),
        faults.http(404),
        answer_with([]),
        answer_with({"Data": [1, {}, {"CustomID": None}]}),
    ],
)
@pytest.mark.parametrize("by_id", [True, False])
async def test_what_is_not_listed_may_have_been_sent(fault: Fault, by_id: bool) -> None:
    async with FakeMailjet() as mailjet:
        assert isinstance(await ask(mailjet, fault, by_id=by_id), CannotTell)
