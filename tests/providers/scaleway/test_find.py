"""Asking Scaleway for a message whose fate nobody recorded."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from app.transports.contract import AttemptRef, CannotTell, Found, LookUp
from app.transports.email.scaleway.config import ScalewayConfig
from app.transports.email.scaleway.events import STATUSES
from app.transports.email.scaleway.transport import ScalewayTransport
from tests.fakes.scaleway.server import FakeScaleway
from tests.fakes.twilio_faults import Fault, hang, hang_up, http
from tests.providers.api_account import line
from tests.providers.emails import an_email, reference_to
from tests.providers.scaleway.provider import refuse

SENT = replace(reference_to(an_email()), message_id="s1")


@pytest.fixture
async def scaleway() -> AsyncIterator[FakeScaleway]:
    async with FakeScaleway() as fake:
        yield fake


async def find(scaleway: FakeScaleway, attempt: AttemptRef = SENT, key: str = "") -> LookUp:
    config = ScalewayConfig(
        secret_key=key or scaleway.key, project_id="proj-1", **line(scaleway, 0.5)
    )
    transport = ScalewayTransport(config)
    try:
        return await transport.find(attempt)
    finally:
        await transport.close()


@pytest.mark.parametrize(("status", "meant"), STATUSES.items())
async def test_what_became_of_it_is_told(
    scaleway: FakeScaleway, status: str, meant: object
) -> None:
    scaleway.status = status
    answer = await find(scaleway)
    assert isinstance(answer, Found)
    [event] = answer.events
    assert (event.type, event.reason) == meant
    assert (event.item_key, event.attempt_key) == (SENT.item_id, SENT.attempt_id)
    assert (event.code, event.text) == ("550", "Scaleway: 5.1.1 no such user")


async def test_a_status_of_the_future_tells_nothing(scaleway: FakeScaleway) -> None:
    scaleway.status = "of the future"
    assert isinstance(await find(scaleway), CannotTell)


async def test_without_an_id_nothing_is_asked(scaleway: FakeScaleway) -> None:
    assert isinstance(await find(scaleway, replace(SENT, message_id=None)), CannotTell)
    assert scaleway.asked_for == []


async def test_an_id_is_never_a_path(scaleway: FakeScaleway) -> None:
    await find(scaleway, replace(SENT, message_id="../../x?y"))
    assert scaleway.asked_for == ["../../x?y"]


@pytest.mark.parametrize(
    "fault",
    [
        refuse("not_found", status=404),
        http(200, "<html>"),
        http(200, '{"id": "s2", "status": "sent"}'),
        http(500),
        hang,
        hang_up,
    ],
)
async def test_an_answer_that_is_none_tells_nothing(scaleway: FakeScaleway, fault: Fault) -> None:
    scaleway.next_searches = [fault] * 3
    assert isinstance(await find(scaleway), CannotTell)


async def test_a_wrong_key_tells_nothing(scaleway: FakeScaleway) -> None:
    answer = await find(scaleway, key="canary")
    assert isinstance(answer, CannotTell)
    assert "canary" not in answer.text
