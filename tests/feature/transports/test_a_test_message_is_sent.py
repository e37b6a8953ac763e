"""``arvel transport:send``: a message as any other, through the provider that is named."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from app.commands.transport_send import TransportSend
from app.models import statements
from tests.fakes.anything import Anything, anything
from tests.fakes.twilio import FakeTwilio
from tests.fakes.waiting import until
from tests.fakes.web import serving
from tests.feature.transports.given import run

pytestmark = pytest.mark.usefixtures("database_url", "redis_url")

RESEND_ID = "ffffffff-0000-4000-8000-000000000081"


@asynccontextmanager
async def pillarbox(**settings: str) -> AsyncIterator[Anything]:
    """With Resend as a second channel, and a worker; messages usually go to the sandbox."""
    async with anything(200, {"id": RESEND_ID}) as resend:
        environment = {
            "EMBEDDED_WORKER": "true",
            "RESEND_API_KEY": "re_key",
            "RESEND_BASE_URL": resend.base_url,
            "EMAIL_CHANNEL": "sandbox",
            "SMS_CHANNEL": "sandbox",
        }
        async with serving(**environment | settings):
            yield resend


async def send(name: str = "resend", to: str = "ada@example.com", **given: str) -> tuple[int, str]:
    said = await run(TransportSend, name=name, to=to, **{"sender": "shop@example.com", **given})
    return said.code, said.err


async def items() -> list[tuple[str, str]]:
    rows = await statements.run("SELECT channel, state FROM queue_items ORDER BY id")
    return [(row["channel"], row["state"]) for row in rows]


async def test_it_goes_through_the_provider_that_is_named() -> None:
    async with pillarbox(DISPATCH_ALLOW_REAL="ada@example.com") as resend:
        assert await send() == (0, "")
        await until(lambda: is_at(("resend", "awaiting")))

    [body] = resend.bodies
    assert json.loads(body)["to"] == ["ada@example.com"]


async def is_at(item: tuple[str, str]) -> bool:
    return await items() == [item]


async def test_who_must_not_be_reached_gets_nothing() -> None:
    async with pillarbox(DISPATCH_ALLOW_REAL="@example.org") as resend:
        code, text = await send()
        assert await items() == []

    assert (code, resend.asked) == (1, [])
    assert "DISPATCH_ALLOW_REAL" in text


async def test_a_provider_that_is_not_configured_is_named() -> None:
    async with pillarbox(DISPATCH_ALLOW_REAL="*"):
        code, text = await send("brevo")
        assert await items() == []
    assert code == 1
    assert "transport:list" in text


async def test_what_is_wrong_with_a_message_is_said() -> None:
    async with pillarbox(DISPATCH_ALLOW_REAL="*"):
        code, text = await send(to="nobody")
        assert await items() == []
    assert code == 2
    assert "--to" in text


async def test_an_sms_goes_from_the_channels_own_number() -> None:
    async with FakeTwilio() as twilio:
        account = {
            "TWILIO_ACCOUNT_SID": twilio.account_sid,
            "TWILIO_AUTH_TOKEN": twilio.auth_token,
            "TWILIO_BASE_URL": twilio.base_url,
            "TWILIO_FROM_NUMBER": "+15005550006",
        }
        async with pillarbox(DISPATCH_ALLOW_REAL="*", **account):
            assert await send("twilio", "+12015550123", sender="") == (0, "")
            await until(lambda: is_at(("twilio", "awaiting")))
        [form] = twilio.creates

    assert form["From"] == ["+15005550006"]
