"""Asking Resend for a message."""

from dataclasses import replace

import pytest

from app.transports.contract import Accepted, CannotTell, Found, LookUp
from app.transports.email.resend.config import ResendConfig
from app.transports.email.resend.transport import ResendTransport
from tests.fakes import twilio_faults as faults
from tests.fakes.api import answer_with
from tests.fakes.resend import FakeResend
from tests.fakes.twilio_faults import Fault
from tests.providers.api_account import line
from tests.providers.emails import an_email, reference_to


async def ask(resend: FakeResend, fault: Fault | None = None, known: bool = True) -> LookUp:
    """Send a message, and ask for it by its id."""
    transport, email = ResendTransport(ResendConfig(api_key=resend.key, **line(resend))), an_email()
    try:
        outcome = await transport.send(email, lambda: None)
        assert isinstance(outcome, Accepted)
        resend.next_searches = [fault] if fault else []
        message_id = outcome.message_id if known else "another"
        return await transport.find(replace(reference_to(email), message_id=message_id))
    finally:
        await transport.close()


@pytest.mark.parametrize(
    ("last", "kind"),
    [("delivered", "delivered"), ("bounced", "bounced"), ("queued", "queued"), ("new", "unknown")],
)
async def test_a_message_is_found_with_its_last_event(last: str, kind: str) -> None:
    async with FakeResend() as resend:
        resend.last_event = last
        found = await ask(resend)
    assert isinstance(found, Found)
    [event] = found.events
    assert (event.type.value, event.message_id) == (kind, found.message_id)
    assert event.item_key
    assert event.attempt_key


@pytest.mark.parametrize(
    "fault",
    [
        faults.http(500),
        faults.http(429),
        answer_with({"id": "another", "last_event": "sent"}),
        answer_with([]),
    ],
)
async def test_an_odd_answer_tells_nothing(fault: Fault) -> None:
    async with FakeResend() as resend:
        assert isinstance(await ask(resend, fault), CannotTell)


async def test_a_message_that_resend_does_not_have_is_not_known_to_be_unsent() -> None:
    async with FakeResend() as resend:
        assert isinstance(await ask(resend, known=False), CannotTell)


async def test_without_an_id_resend_is_not_asked() -> None:
    async with FakeResend() as resend:
        transport = ResendTransport(ResendConfig(api_key=resend.key, **line(resend)))
        assert isinstance(await transport.find(reference_to(an_email())), CannotTell)
        await transport.close()
        assert resend.requests["show"] == 0
