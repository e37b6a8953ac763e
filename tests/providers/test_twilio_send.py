"""Sending an SMS by Twilio, over HTTP to a fake account."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from app.transports.contract import (
    Accepted,
    LeaseOver,
    NotSent,
    Rejected,
    RejectKind,
    SmsTransport,
    Unknown,
)
from app.transports.sms.twilio import TwilioTransport
from tests.fakes import twilio_faults as faults
from tests.fakes.twilio import FakeTwilio
from tests.fakes.twilio_faults import Fault
from tests.fakes.twilio_given import RECEIVER, SENDER, an_sms, config_for, go

WEBHOOK = "https://hooks.example.com/webhooks/sms/twilio"


@pytest.fixture
async def twilio() -> AsyncIterator[FakeTwilio]:
    async with FakeTwilio() as twilio:
        yield twilio


@asynccontextmanager
async def transport_for(twilio: FakeTwilio, **settings: Any) -> AsyncIterator[SmsTransport]:
    transport = TwilioTransport(config_for(twilio, **settings))
    try:
        yield transport
    finally:
        await transport.close()


async def test_accepted_message_has_twilios_id(twilio: FakeTwilio) -> None:
    async with transport_for(twilio) as transport:
        outcome = await transport.send(an_sms(body="Hello 👋 + & ="), go)
    [message] = twilio.messages.values()
    assert outcome == Accepted(message.sid, "Twilio: queued")
    assert (message.receiver, message.sender, message.body) == (RECEIVER, SENDER, "Hello 👋 + & =")
    assert twilio.headers[0]["User-Agent"].startswith("Pillarbox twilio-python/")


async def test_messaging_service_chooses_the_sender(twilio: FakeTwilio) -> None:
    service = "MG" + "d" * 32
    async with transport_for(twilio, messaging_service_sid=service) as transport:
        await transport.send(an_sms(), go)
    assert twilio.creates[0]["MessagingServiceSid"] == [service]
    assert "From" not in twilio.creates[0]


async def test_sender_of_the_item_wins(twilio: FakeTwilio) -> None:
    async with transport_for(twilio, messaging_service_sid="MG" + "d" * 32) as transport:
        await transport.send(an_sms(sender="+15005550001"), go)
    assert twilio.creates[0]["From"] == ["+15005550001"]
    assert "MessagingServiceSid" not in twilio.creates[0]


async def test_without_any_sender_twilio_is_not_asked(twilio: FakeTwilio) -> None:
    async with transport_for(twilio, from_number="") as transport:
        outcome = await transport.send(an_sms(), go)
    assert isinstance(outcome, Rejected)
    assert outcome.kind is RejectKind.CONFIGURATION
    assert twilio.creates == []


async def test_media_is_handed_over_by_its_address(twilio: FakeTwilio) -> None:
    async with transport_for(twilio) as transport:
        await transport.send(an_sms(media_url="https://cdn.example.com/a.png"), go)
    assert twilio.creates[0]["MediaUrl"] == ["https://cdn.example.com/a.png"]


async def test_private_media_address_never_reaches_twilio(twilio: FakeTwilio) -> None:
    async with transport_for(twilio) as transport:
        outcome = await transport.send(an_sms(media_url="http://169.254.169.254/latest"), go)
    assert isinstance(outcome, Rejected)
    assert "169.254" not in outcome.text
    assert twilio.creates == []


@pytest.mark.parametrize(
    ("webhook_url", "begins", "fragment"),
    [
        (WEBHOOK, WEBHOOK + "?queue_item=", ""),
        (WEBHOOK + "?tenant=a%2Bb", WEBHOOK + "?tenant=a%2Bb&queue_item=", ""),
        (WEBHOOK + "#rc=3&rp=all", WEBHOOK + "?queue_item=", "rc=3&rp=all"),
    ],
)
async def test_callback_carries_item_and_attempt(
    twilio: FakeTwilio, webhook_url: str, begins: str, fragment: str
) -> None:
    sms = an_sms()
    async with transport_for(twilio, webhook_url=webhook_url) as transport:
        await transport.send(sms, go)
    [url] = twilio.creates[0]["StatusCallback"]
    query = parse_qs(urlsplit(url).query)
    assert url.startswith(begins)
    assert urlsplit(url).fragment == fragment
    assert (query["queue_item"], query["attempt"]) == ([str(sms.item_id)], [str(sms.attempt_id)])


async def test_polled_channel_asks_for_no_callback(twilio: FakeTwilio) -> None:
    async with transport_for(twilio, webhook_url="") as transport:
        await transport.send(an_sms(), go)
    assert "StatusCallback" not in twilio.creates[0]


async def test_api_key_replaces_the_auth_token_for_sending(twilio: FakeTwilio) -> None:
    twilio.credentials = ("SK" + "1" * 32, "key-secret")
    settings = {"api_key_sid": "SK" + "1" * 32, "api_key_secret": "key-secret"}
    async with transport_for(twilio, **settings) as transport:
        assert isinstance(await transport.send(an_sms(), go), Accepted)


async def test_environment_of_the_sdk_changes_nothing(
    twilio: FakeTwilio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TWILIO_REGION", "ie1")
    monkeypatch.setenv("TWILIO_EDGE", "dublin")
    async with transport_for(twilio) as transport:
        assert isinstance(await transport.send(an_sms(), go), Accepted)


async def test_nothing_is_sent_when_the_lease_is_over(twilio: FakeTwilio) -> None:
    def refuse() -> None:
        raise LeaseOver

    async with transport_for(twilio) as transport:
        outcome = await transport.send(an_sms(), refuse)
    assert isinstance(outcome, NotSent)
    assert twilio.requests["create"] == 0


async def test_unreachable_twilio_is_not_sent(twilio: FakeTwilio) -> None:
    async with FakeTwilio() as gone:
        address = gone.base_url
    async with transport_for(twilio, base_url=address) as transport:
        outcome = await transport.send(an_sms(), lambda: pytest.fail("go was asked"))
    assert isinstance(outcome, NotSent)
    assert "Nothing was sent" in outcome.text


async def test_twilio_that_never_answers_ends_as_unknown_while_others_are_sent(
    twilio: FakeTwilio,
) -> None:
    """Field report 22."""
    twilio.for_receiver["+15005550004"] = faults.hang
    loop = asyncio.get_running_loop()
    async with transport_for(twilio, connect_timeout=0.5, total_timeout=1.0) as transport:
        started = loop.time()
        stuck = asyncio.create_task(transport.send(an_sms(receiver="+15005550004"), go))
        others = await asyncio.gather(*(transport.send(an_sms(), go) for _ in range(20)))
        assert not stuck.done()
        outcome = await stuck
        took = loop.time() - started
    assert all(isinstance(other, Accepted) for other in others)
    assert isinstance(outcome, Unknown)
    assert 0.9 < took < 5


async def test_request_held_beyond_every_timeout_is_posted_once(twilio: FakeTwilio) -> None:
    """Field report 2."""
    twilio.accepted_before_fault = True
    twilio.next_creates = [faults.hang]
    async with transport_for(twilio, connect_timeout=0.2, total_timeout=0.4) as transport:
        outcome = await transport.send(an_sms(), go)
    assert isinstance(outcome, Unknown)
    assert "may have been sent" in outcome.text
    assert twilio.by_receiver[RECEIVER] == 1
    assert twilio.requests["create"] == 1


@pytest.mark.parametrize(
    "fault",
    [
        faults.hang_up,
        faults.half_answer,
        faults.bomb,
        faults.http(201, ""),
        faults.http(201, "<html>"),
        faults.http(201, "[]"),
        faults.http(201, "[" * 200_000),
        faults.http(201, '{"sid": 1' + "0" * 5000 + "}"),
        faults.changed(sid=None),
        faults.changed(sid="not a sid"),
        faults.changed(date_updated=5),
        faults.changed(account_sid="AC" + "f" * 32),
        faults.http(303, "", headers={"Location": "/"}),
    ],
)
async def test_spoiled_answer_is_unknown_and_sent_once(twilio: FakeTwilio, fault: Fault) -> None:
    twilio.accepted_before_fault = True
    twilio.next_creates = [fault]
    async with transport_for(twilio) as transport:
        outcome = await transport.send(an_sms(), go)
    assert isinstance(outcome, Unknown)
    assert "may have been sent" in outcome.text
    assert twilio.by_receiver[RECEIVER] == 1


async def test_message_that_failed_at_once_is_rejected(twilio: FakeTwilio) -> None:
    """Twilio sends no callback for the first status."""
    twilio.next_creates = [faults.changed(status="failed", error_code=30007)]
    async with transport_for(twilio) as transport:
        outcome = await transport.send(an_sms(), go)
    assert isinstance(outcome, Rejected)
    assert outcome.code == "30007"
    assert "https://www.twilio.com/docs/errors/30007" in outcome.text


async def test_hundred_at_once_are_sent_once_each(twilio: FakeTwilio) -> None:
    twilio.latency = 0.05
    messages = [an_sms(receiver=f"+1555010{n:04}") for n in range(100)]
    async with transport_for(twilio, connections=100) as transport:
        outcomes = await asyncio.gather(*(transport.send(sms, go) for sms in messages))
    assert all(isinstance(outcome, Accepted) for outcome in outcomes)
    assert set(twilio.by_receiver.values()) == {1}
    assert len(twilio.by_receiver) == 100
    assert twilio.in_flight_peak > 50


async def test_closing_twice_is_fine(twilio: FakeTwilio) -> None:
    transport = TwilioTransport(config_for(twilio))
    await transport.send(an_sms(), go)
    await transport.close()
    await transport.close()


def test_facts_promise_reports_and_no_deduplication(twilio: FakeTwilio) -> None:
    facts = TwilioTransport(config_for(twilio)).facts
    assert (facts.name, facts.method, facts.reports) == ("twilio", "sms", True)
    assert facts.idempotency_window == 0
    assert facts.error_codes["21610"] == "opted_out"
