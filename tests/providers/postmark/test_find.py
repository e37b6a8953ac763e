"""Asking Postmark for a message whose fate nobody recorded."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid7

import pytest

from app.transports.contract import (
    AttemptRef,
    CannotTell,
    EventType,
    Found,
    LookUp,
    NotFound,
    OutboundEmail,
)
from app.transports.email.postmark.transport import PostmarkTransport
from app.transports.email.tracking import MetadataEmailTrackingStrategy, TrackingKeys
from tests.fakes.postmark.server import FakePostmark, refuse
from tests.fakes.twilio_faults import Fault, hang, hang_up, http
from tests.providers.emails import an_email, reference_to
from tests.providers.postmark.provider import config_for
from tests.providers.postmark.test_events import read

LATER = timedelta(hours=1)


@pytest.fixture
async def postmark() -> AsyncIterator[FakePostmark]:
    async with FakePostmark() as fake:
        yield fake


async def find(
    postmark: FakePostmark, attempt: AttemptRef, *, after: timedelta = LATER, **settings: Any
) -> LookUp:
    def clock() -> datetime:
        return attempt.started_at + after

    transport = PostmarkTransport(config_for(postmark, **settings), clock=clock)
    try:
        return await transport.find(attempt)
    finally:
        await transport.close()


def an_attempt(**changes: Any) -> tuple[OutboundEmail, AttemptRef]:
    """An email as it is sent, with its keys, and what is known of the attempt."""
    key = uuid7()
    email = an_email(attempt_id=key, provider_key=key, **changes)
    tracked = MetadataEmailTrackingStrategy().attach(email, TrackingKeys(email.item_id, key))
    return tracked, replace(reference_to(email), started_at=datetime.now(UTC))


async def sent(postmark: FakePostmark, email: OutboundEmail) -> str:
    transport = PostmarkTransport(config_for(postmark))
    outcome = await transport.send(email, lambda: None)
    await transport.close()
    return str(outcome.message_id)  # type: ignore[union-attr]  # accepted, or the test fails


async def test_a_message_is_found_by_the_key_that_it_carries(postmark: FakePostmark) -> None:
    email, attempt = an_attempt()
    await sent(postmark, an_attempt()[0])
    message_id = await sent(postmark, email)
    answer = await find(postmark, attempt)
    assert isinstance(answer, Found)
    assert answer.message_id == message_id
    assert [event.type for event in answer.events] == [EventType.SENT]


async def test_what_is_found_is_news_about_the_attempt(postmark: FakePostmark) -> None:
    email, attempt = an_attempt()
    await sent(postmark, email)
    answer = await find(postmark, attempt)
    assert isinstance(answer, Found)
    [event] = answer.events
    assert (event.item_key, event.attempt_key) == (attempt.item_id, attempt.attempt_id)


async def test_what_became_of_it_is_told_as_its_webhook_would(postmark: FakePostmark) -> None:
    email, attempt = an_attempt()
    message_id = await sent(postmark, email)
    postmark.messages[message_id].reported = ["Bounce/Transient", "Delivery"]
    answer = await find(postmark, replace(attempt, message_id=message_id))
    assert isinstance(answer, Found)
    kinds = [event.type for event in answer.events]
    assert kinds == [EventType.SENT, EventType.DEFERRED, EventType.DELIVERED]
    pushed = {"RecordType": "Delivery", "MessageID": message_id, "Recipient": attempt.recipient}
    assert answer.events[-1].event_key == read(pushed).event_key


async def test_a_bounce_is_told(postmark: FakePostmark) -> None:
    email, attempt = an_attempt()
    message_id = await sent(postmark, email)
    postmark.messages[message_id].reported = ["Bounce/HardBounce"]
    answer = await find(postmark, replace(attempt, message_id=message_id))
    assert isinstance(answer, Found)
    event = answer.events[-1]
    assert (event.type, event.reason) == (EventType.BOUNCED, "bounced")
    assert "550" in event.text


async def test_a_message_whose_id_is_known_is_not_searched_for(postmark: FakePostmark) -> None:
    email, attempt = an_attempt()
    message_id = await sent(postmark, email)
    answer = await find(postmark, replace(attempt, message_id=message_id))
    assert isinstance(answer, Found)
    assert postmark.requests["search"] == 0


async def test_an_id_that_postmark_forgot_tells_nothing(postmark: FakePostmark) -> None:
    _, attempt = an_attempt()
    known = replace(attempt, message_id="../../servers?x=1")
    assert isinstance(await find(postmark, known), CannotTell)


async def test_nothing_to_this_receiver_is_never_sent(postmark: FakePostmark) -> None:
    assert isinstance(await find(postmark, an_attempt()[1]), NotFound)


async def test_other_attempts_with_keys_leave_no_doubt(postmark: FakePostmark) -> None:
    await sent(postmark, an_attempt()[0])
    assert isinstance(await find(postmark, an_attempt()[1]), NotFound)


async def test_a_message_without_a_key_may_be_the_one(postmark: FakePostmark) -> None:
    await sent(postmark, an_email())
    assert isinstance(await find(postmark, an_attempt()[1]), CannotTell)


async def test_a_search_that_does_not_show_metadata_tells_nothing(postmark: FakePostmark) -> None:
    email, attempt = an_attempt()
    await sent(postmark, email)
    postmark.hides_metadata = True
    assert isinstance(await find(postmark, attempt), CannotTell)


async def test_a_list_that_is_not_complete_tells_nothing(postmark: FakePostmark) -> None:
    postmark.total = 501
    assert isinstance(await find(postmark, an_attempt()[1]), CannotTell)


async def test_soon_after_the_attempt_absence_means_nothing(postmark: FakePostmark) -> None:
    _, attempt = an_attempt()
    soon = await find(postmark, attempt, after=timedelta(minutes=4))
    assert isinstance(soon, CannotTell)


async def test_the_search_is_for_this_receiver_from_the_day_before(postmark: FakePostmark) -> None:
    _, attempt = an_attempt()
    await find(postmark, replace(attempt, started_at=datetime(2026, 7, 1, 2, 0, tzinfo=UTC)))
    assert postmark.queries == [
        {"count": "500", "offset": "0", "recipient": attempt.recipient, "fromdate": "2026-06-30"}
    ]


async def test_a_key_of_another_attempt_is_never_ours(postmark: FakePostmark) -> None:
    """A repeated message carries the first attempt's key, and only that one is looked for."""
    email, attempt = an_attempt()
    await sent(postmark, email)
    other = replace(attempt, provider_key=UUID(int=5))
    assert isinstance(await find(postmark, other), NotFound)


@pytest.mark.parametrize(
    "fault",
    [
        refuse(10, "The token is canary", status=401),
        refuse(701),
        http(200, "<html>"),
        http(200, "{}"),
        http(200, '{"TotalCount": 0, "Messages": [1]}'),
        http(500),
        http(429),
        hang,
        hang_up,
    ],
)
async def test_an_answer_that_is_none_tells_nothing(postmark: FakePostmark, fault: Fault) -> None:
    postmark.next_searches = [fault] * 3
    answer = await find(postmark, an_attempt()[1], total_timeout=0.5)
    assert isinstance(answer, CannotTell)
    assert "canary" not in answer.text
