"""Reports that say "don't write to this address again" are kept with address and reason."""

import json
from typing import Any
from uuid import UUID

import pytest

from app.items import evidence
from app.models import statements
from app.models.statements import Statements
from app.transports.contract import RawRequest
from app.transports.email.postal.config import PostalConfig
from app.transports.email.postal.webhook import PostalWebhook
from app.transports.sms.twilio_config import TwilioConfig
from app.transports.sms.twilio_webhook import TwilioWebhook
from tests.fakes.items import put_item, see

ADA = "ada@example.com"
ACCOUNT = f"AC{'0' * 32}"


def postal(event: str, status: str, item: UUID) -> RawRequest:
    message = {"id": 812, "to": ADA, "message_id": f"{item}@example.com"}
    payload = {"message": message, "status": status, "details": "", "output": "550 5.1.1 no"}
    body = {"event": event, "timestamp": 1790000000.0, "payload": payload, "uuid": f"u-{event}"}
    return RawRequest("POST", (), b"", {"content-type": "application/json"}, write(body))


def write(content: Any) -> bytes:
    return json.dumps(content).encode()


async def kept() -> list[tuple[str, str, str]]:
    rows = await statements.run("SELECT type, recipient, reason FROM delivery_events ORDER BY id")
    return [(row["type"], row["recipient"], row["reason"]) for row in rows]


@pytest.fixture
def webhook() -> PostalWebhook:
    return PostalWebhook(PostalConfig(api_key="k", base_url="https://postal.example.com"))


async def take(provider: str, events: Any) -> None:
    for event_id in await evidence.store(provider, events):
        await evidence.apply(event_id)


async def test_a_hard_bounce_is_kept_with_its_address_and_reason(
    database: Statements, webhook: PostalWebhook
) -> None:
    """Field report 62, without the list itself. The receiver's server refused at once."""
    item = await put_item("awaiting")
    request = postal("MessageDeliveryFailed", "HardFail", item.id)
    await take("sandbox", webhook.parse(request))

    [(kind, recipient, reason)] = await kept()
    assert (kind, recipient, reason) == ("bounced", ADA, "bounced")


async def test_a_held_message_waits_and_does_not_fail(
    database: Statements, webhook: PostalWebhook
) -> None:
    """Field report 62: somebody may release it at the provider."""
    item = await put_item("awaiting")
    await take("sandbox", webhook.parse(postal("MessageHeld", "Held", item.id)))

    assert (await see(item.id))["state"] == "awaiting"
    [(kind, recipient, _)] = await kept()
    assert (kind, recipient) == ("queued", ADA)


@pytest.mark.parametrize(("wish", "reason"), [("STOP", "unsubscribed"), ("START", "")])
async def test_who_opts_out_or_in_is_kept(database: Statements, wish: str, reason: str) -> None:
    """Field report 66, without the list itself."""
    config = TwilioConfig(account_sid=ACCOUNT, auth_token="t")
    body = (
        f"MessageSid=SM{'1' * 32}&SmsStatus=received&OptOutType={wish}&From=%2B15550100&"
        f"To=%2B15550001&AccountSid={ACCOUNT}"
    ).encode()
    request = RawRequest(
        "POST", (), b"", {"content-type": "application/x-www-form-urlencoded"}, body
    )
    await take("twilio", TwilioWebhook(config).parse(request))

    assert await kept() == [("unknown", "+15550100", reason)]
    [row] = await statements.run(
        "SELECT raw->>'To' AS ours, raw->>'OptOutType' AS wish FROM delivery_events"
    )
    assert (row["ours"], row["wish"]) == ("+15550001", wish)
