"""Addresses, bodies and secrets stay out of every text."""

import logging
import traceback
from dataclasses import fields

import pytest

from app.transports.contract import WebhookRefused, WebhookUnreadable
from app.transports.http import NoAnswer, call, http_client
from app.transports.sms.twilio import TwilioTransport
from app.transports.sms.twilio_config import TwilioConfig
from app.transports.sms.twilio_webhook import TwilioWebhook
from tests.fakes import twilio_faults as faults
from tests.fakes import twilio_sockets as sockets
from tests.fakes.twilio import FakeTwilio
from tests.fakes.twilio_faults import Fault
from tests.fakes.twilio_given import an_sms, config_for, go
from tests.fakes.twilio_sockets import Script, raw_server
from tests.providers.test_twilio_signature import HOOK, request_of, signed

CANARY = "canary"
NUMBER = "5005550019"
SECRETS = {
    "auth_token": f"{CANARY}-token",
    "previous_auth_token": f"{CANARY}-old-token",
    "shared_key": f"{CANARY}-shared",
    "webhook_url": f"https://hooks.example.com/{CANARY}-path",
}
SMS = {"receiver": f"+1{NUMBER}", "body": f"{CANARY} body"}


def assert_clean(*texts: object) -> None:
    for text in map(str, texts):
        assert CANARY not in text
        assert NUMBER not in text


@pytest.mark.parametrize(
    "fault",
    [
        None,
        faults.error(21211),
        faults.error(39999),
        faults.error(20003, 401),
        faults.error(20500, 500),
        faults.error(20429, 429),
        faults.changed(sid=CANARY),
        faults.changed(account_sid=CANARY),
        faults.changed(status="failed", error_code="30003"),
        faults.http(201, f"<html>{CANARY}"),
        faults.hang,
        faults.hang_up,
        faults.half_answer,
    ],
)
async def test_outcome_and_log_of_a_send_are_clean(
    fault: Fault | None, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with FakeTwilio(auth_token=SECRETS["auth_token"]) as twilio:
        twilio.next_creates = [fault] if fault else []
        config = config_for(twilio, connect_timeout=0.3, total_timeout=0.6, **SECRETS)
        transport = TwilioTransport(config)
        outcome = await transport.send(an_sms(**SMS), go)
        for sid in twilio.messages:
            twilio.for_sid[sid] = faults.error(20500, 500, text=CANARY)
            assert_clean(await transport.status(sid))
        await transport.close()
    assert_clean(*(getattr(outcome, field.name) for field in fields(outcome)), caplog.text)


@pytest.mark.parametrize("script", [sockets.close_at_once, sockets.speak_garbage])
async def test_outcome_of_a_connection_that_fails_is_clean(
    script: Script, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with FakeTwilio() as twilio, raw_server(script) as server:
        config = config_for(twilio, **SECRETS, base_url=f"{server.url}{CANARY}")
        transport = TwilioTransport(config)
        outcome = await transport.send(an_sms(**SMS), go)
        await transport.close()
    assert_clean(outcome, caplog.text)


async def test_outcome_without_a_connection_is_clean(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with FakeTwilio() as twilio:
        base = f"http://{CANARY}.invalid/{CANARY}"
        transport = TwilioTransport(config_for(twilio, **SECRETS, base_url=base))
        outcome = await transport.send(an_sms(**SMS), go)
        await transport.close()
    assert_clean(outcome, caplog.text)


async def test_traceback_of_a_call_without_an_answer_is_clean() -> None:
    async with raw_server(sockets.close_after_reading) as server, http_client(connections=1) as c:
        request = c.build_request("POST", f"{server.url}{CANARY}?To=%2B1{NUMBER}", json=SMS)
        with pytest.raises(NoAnswer) as caught:
            await call(c, request, provider="Twilio", total=1, go=go)
    report = traceback.TracebackException.from_exception(caught.value, capture_locals=False)
    assert caught.value.__context__ is None
    assert_clean(*report.format_exception_only())


def test_refusal_of_a_webhook_is_clean() -> None:
    hook = TwilioWebhook(TwilioConfig(account_sid="AC" + "0" * 32, **SECRETS))
    for request in (
        request_of(HOOK, f"Body={CANARY}", CANARY),
        request_of(HOOK, f"Body={CANARY}", CANARY, "application/json"),
        signed(HOOK, {"AccountSid": CANARY}, token=SECRETS["auth_token"]),
    ):
        with pytest.raises(WebhookRefused) as caught:
            hook.authenticate(request)
        assert_clean(caught.value.reason, "".join(traceback.format_exception(caught.value)))


def test_unreadable_webhook_is_clean() -> None:
    hook = TwilioWebhook(TwilioConfig(account_sid="AC" + "0" * 32, **SECRETS))
    for body in (f"MessageSid={CANARY}", f'{{"{CANARY}": '):
        with pytest.raises(WebhookUnreadable) as caught:
            hook.parse(request_of(HOOK, body, "", "application/json"))
        assert_clean("".join(traceback.format_exception(caught.value)))
