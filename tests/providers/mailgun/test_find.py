"""Asking Mailgun for a message."""

from dataclasses import replace
from typing import Any

import pytest

from app.transports.contract import CannotTell, Found, LookUp, OutboundEmail
from tests.fakes import twilio_faults as faults
from tests.fakes.api import answer_with
from tests.fakes.mailgun import FakeMailgun
from tests.fakes.twilio_faults import Fault
from tests.providers.emails import an_email, reference_to
from tests.providers.mailgun.test_answers import transport_to


def event(email: OutboundEmail, name: str = "delivered", **fields: Any) -> dict[str, Any]:
    return {
        "event": name,
        "id": f"evt-{name}",
        "recipient": email.receiver.email,
        "user-variables": {"vdq_attempt": str(email.provider_key)},
        "message": {"headers": {"message-id": "1.0A@mg.example.com"}},
        **fields,
    }


async def ask(
    email: OutboundEmail,
    *events: dict[str, Any],
    message_id: str | None = None,
    fault: Fault | None = None,
) -> tuple[LookUp, dict[str, str]]:
    async with FakeMailgun() as mailgun:
        mailgun.events = list(events)
        mailgun.next_searches = [fault] if fault else []
        transport = transport_to(mailgun)
        told = await transport.find(replace(reference_to(email), message_id=message_id))
        await transport.close()
        return told, mailgun.queries[-1]


async def test_a_message_is_found_by_its_id() -> None:
    email = an_email()
    told, query = await ask(
        email, event(email, "accepted"), event(email), message_id="<1.0A@mg.example.com>"
    )
    assert isinstance(told, Found)
    assert [one.type.value for one in told.events] == ["queued", "delivered"]
    assert {one.attempt_key for one in told.events} == {email.attempt_id}
    assert query["message-id"] == "1.0A@mg.example.com"


async def test_a_message_whose_id_is_not_known_is_found_by_its_key() -> None:
    email = an_email()
    another = event(email, **{"user-variables": {"vdq_attempt": str(email.item_id)}})
    told, query = await ask(email, another, event(email))
    assert isinstance(told, Found)
    assert (len(told.events), told.message_id) == (1, "<1.0A@mg.example.com>")
    assert query["recipient"] == email.receiver.email


@pytest.mark.parametrize(
    "fault",
    [None, faults.http(500), faults.http(404), answer_with([]), answer_with({"items": [1, {}]})],
)
async def test_what_is_not_listed_may_have_been_sent(fault: Fault | None) -> None:
    told, _ = await ask(an_email(), fault=fault)
    assert isinstance(told, CannotTell)


async def test_another_message_is_not_taken_for_it() -> None:
    """A filter may be one that Mailgun ignores."""
    email = an_email()
    told, _ = await ask(
        email, fault=answer_with({"items": [event(email)]}), message_id="<2.0A@mg.example.com>"
    )
    assert isinstance(told, CannotTell)
