"""Asking Amazon SES for a message."""

from dataclasses import replace
from typing import Any

import pytest

from app.transports.contract import CannotTell, Found, LookUp
from tests.fakes import twilio_faults as faults
from tests.fakes.amazon_ses import FakeAmazonSes
from tests.fakes.api import answer_with
from tests.fakes.twilio_faults import Fault
from tests.providers.amazon_ses.test_answers import transport_to
from tests.providers.emails import an_email, reference_to

SENT = {"Timestamp": 1790000000.5, "Type": "SEND"}
BOUNCED = {
    "Timestamp": 1790000001,
    "Type": "PERMANENT_BOUNCE",
    "Details": {"Bounce": {"DiagnosticCode": "550 no"}},
}


async def ask(
    *insights: Any, fault: Fault | None = None, message_id: str | None = "0102-1"
) -> LookUp:
    async with FakeAmazonSes() as ses:
        ses.insights = list(insights)
        ses.next_searches = [fault] if fault else []
        transport = transport_to(ses)
        told = await transport.find(replace(reference_to(an_email()), message_id=message_id))
        await transport.close()
        return told


async def test_a_message_is_found_with_what_became_of_it() -> None:
    found = await ask(1, {"Events": [SENT, None, {"Type": "NEW"}]}, {"Events": [BOUNCED]})
    assert isinstance(found, Found)
    assert [one.type.value for one in found.events] == ["sent", "bounced"]
    assert "550 no" in found.events[1].text
    assert all(one.attempt_key and one.occurred_at for one in found.events)


@pytest.mark.parametrize(
    "fault", [faults.http(404), faults.http(500), answer_with({"MessageId": "2"}), answer_with([])]
)
async def test_an_odd_answer_tells_nothing(fault: Fault) -> None:
    assert isinstance(await ask({"Events": [SENT]}, fault=fault), CannotTell)


async def test_a_message_of_which_nothing_is_told_may_have_been_sent() -> None:
    assert isinstance(await ask(), CannotTell)


async def test_without_an_id_a_message_cannot_be_asked_for() -> None:
    assert isinstance(await ask(message_id=None), CannotTell)
