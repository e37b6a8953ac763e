"""An SMS from ``add_sms`` to its end, over real sockets: worker, fake Twilio, webhook route."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from app.items import InvalidMessage, add_sms, evidence
from app.models import statements
from app.transports.channels import current
from app.transports.contract import Found
from tests.fakes.items import history_of, see, state_of
from tests.fakes.twilio import FakeTwilio
from tests.fakes.twilio_faults import http
from tests.fakes.waiting import until
from tests.fakes.web import Web, serving

PUBLIC = "https://example.com"
SENDER = {"name": "Shop", "cell": "+15005550006"}
RECEIVER = {"name": "Ada", "cell": "+12015550123"}


@pytest.fixture
async def twilio() -> AsyncIterator[FakeTwilio]:
    async with FakeTwilio() as fake:
        yield fake


@asynccontextmanager
async def pillarbox(twilio: FakeTwilio, folder: Path, **settings: str) -> AsyncIterator[Web]:
    environment = {
        "STORAGE_PATH": str(folder),
        "EMBEDDED_WORKER": "true",
        "DISPATCH_ALLOW_REAL": "*",
        "PUBLIC_URL": PUBLIC,
        "SMS_CHANNEL": "twilio",
        "TWILIO_ACCOUNT_SID": twilio.account_sid,
        "TWILIO_AUTH_TOKEN": twilio.auth_token,
        "TWILIO_BASE_URL": twilio.base_url,
        "TWILIO_WEBHOOK_URL": f"{PUBLIC}/webhooks/sms/twilio",
        **settings,
    }
    async with serving(**environment) as web:
        twilio.deliver_to = web.url
        yield web


@pytest.mark.usefixtures("database_url", "redis_url")
async def test_an_sms_is_sent_and_its_delivery_believed(twilio: FakeTwilio, tmp_path: Path) -> None:
    twilio.callbacks = ["queued", "sent", "delivered"]
    async with pillarbox(twilio, tmp_path):
        item = await add_sms(sender=SENDER, receiver=RECEIVER, body="Hello")
        await until(lambda: has_state(item.id, "succeeded"))
    assert twilio.by_item == {str(item.id): 1}
    assert set(twilio.callback_statuses) == {200}


async def has_state(item: object, state: str) -> bool:
    return await state_of(item) == state


@pytest.mark.usefixtures("database_url", "redis_url")
async def test_a_report_from_inside_the_call_is_not_moved_back_by_the_record(
    twilio: FakeTwilio, tmp_path: Path
) -> None:
    """Field report 27, over the real route: the callback arrives before the answer."""
    twilio.callbacks = ["delivered"]
    twilio.callback_before_answer = True
    twilio.latency = 0.3
    async with pillarbox(twilio, tmp_path):
        item = await add_sms(sender=SENDER, receiver=RECEIVER, body="Hello")
        await until(lambda: has_state(item.id, "succeeded"))
        await until(lambda: has_outcome(item.id))
    row = await see(item.id)
    (sid,) = twilio.messages
    assert (row["state"], row["message_id"]) == ("succeeded", sid)
    assert [to for _, _, to in await history_of(item.id)] == ["sending", "succeeded"]


async def has_outcome(item: object) -> bool:
    rows = await statements.run("SELECT outcome FROM attempts WHERE item_id = $1", item)
    return rows[0]["outcome"] == "accepted"


@pytest.mark.usefixtures("database_url", "redis_url")
async def test_a_failure_is_told_with_its_code(twilio: FakeTwilio, tmp_path: Path) -> None:
    twilio.callbacks = ["sent", "undelivered"]
    async with pillarbox(twilio, tmp_path):
        item = await add_sms(sender=SENDER, receiver=RECEIVER, body="Hello")
        await until(lambda: has_state(item.id, "errored"))
    row = await see(item.id)
    assert row["error_kind"] == "reported"
    assert "30003" in row["result"]


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"x-forwarded-host": "example.com", "x-forwarded-proto": "https"},
        {"x-forwarded-host": "evil.example", "x-forwarded-proto": "http", "host": "evil.example"},
    ],
    ids=["behind a silent proxy", "behind a proxy that says so", "spoofed"],
)
@pytest.mark.usefixtures("database_url", "redis_url")
async def test_the_configured_public_address_is_what_counts(
    twilio: FakeTwilio, tmp_path: Path, headers: dict[str, str]
) -> None:
    """Field report 36: signed for the public https address, delivered to a local http one."""
    from twilio.request_validator import RequestValidator

    path = "/webhooks/sms/twilio?queue_item=1"
    fields = {
        "AccountSid": twilio.account_sid,
        "MessageSid": "SM" + "a" * 32,
        "MessageStatus": "sent",
        "ErrorMessage": "",
    }
    validator = RequestValidator(twilio.auth_token)
    ours = validator.compute_signature(PUBLIC + path, fields)
    async with pillarbox(twilio, tmp_path) as web:
        local = validator.compute_signature(web.url + path, fields)
        foreign = validator.compute_signature("https://evil.example" + path, fields)
        answers = [
            await web.post(path, data=fields, headers={**headers, "X-Twilio-Signature": signed})
            for signed in (ours, local, foreign)
        ]
    assert [answer.status_code for answer in answers] == [200, 403, 403]


@pytest.mark.usefixtures("database_url", "redis_url")
async def test_polling_asks_only_for_our_own_messages_by_their_ids(
    twilio: FakeTwilio, tmp_path: Path
) -> None:
    """Field report 72: the account is full of others' messages, and none of them is read."""
    settings = {"TWILIO_WEBHOOK_URL": "", "DISPATCH_POLL_EVERY": "0.2"}
    async with pillarbox(twilio, tmp_path, **settings) as web:
        items = [
            await add_sms(sender=SENDER, receiver=RECEIVER, body=f"Hello {n}") for n in range(3)
        ]
        await until(lambda: all_have(items, "awaiting"))
        assert (await web.post("/webhooks/sms/twilio")).status_code == 404
        broken, *others = twilio.messages.values()
        twilio.for_sid[broken.sid] = http(500)
        for message in others:
            message.status = "delivered"
        await until(lambda: two_of(items, "succeeded"))
    assert twilio.requests["list"] == 0
    assert await states_of(items) == ["awaiting", "succeeded", "succeeded"]


@pytest.mark.parametrize("status", ["delivered", "undelivered"])
@pytest.mark.usefixtures("database_url", "redis_url")
async def test_what_was_reported_and_is_then_learned_by_asking_is_one_event(
    twilio: FakeTwilio, tmp_path: Path, status: str
) -> None:
    twilio.callbacks = ["sent", status]
    async with pillarbox(twilio, tmp_path):
        item = await add_sms(sender=SENDER, receiver=RECEIVER, body="Hello")
        await until(lambda: is_done(item.id))
        before = await history_of(item.id)
        answer = await current().sms["twilio"].status(next(iter(twilio.messages)))
        assert isinstance(answer, Found)
        await evidence.report("twilio", answer.events)
        said = await statements.run("SELECT status FROM delivery_events ORDER BY status")
    assert [row["status"] for row in said] == sorted(["sent", status])
    assert await history_of(item.id) == before


async def is_done(item: object) -> bool:
    return await state_of(item) in ("succeeded", "errored")


async def states_of(items: list[object]) -> list[str]:
    return sorted([await state_of(item.id) for item in items])


async def all_have(items: list[object], state: str) -> bool:
    return await states_of(items) == [state] * len(items)


async def two_of(items: list[object], state: str) -> bool:
    return (await states_of(items)).count(state) == 2


@pytest.mark.usefixtures("database_url", "redis_url")
async def test_a_messaging_service_sends_for_a_sender_without_a_number(
    twilio: FakeTwilio, tmp_path: Path
) -> None:
    service = "MG" + "a" * 32
    async with pillarbox(twilio, tmp_path, TWILIO_MESSAGING_SERVICE_SID=service):
        item = await add_sms(sender={"name": "Shop"}, receiver=RECEIVER, body="Hello")
        await until(lambda: has_state(item.id, "awaiting"))
    (form,) = twilio.creates
    assert form["MessagingServiceSid"] == [service]
    assert "From" not in form


@pytest.mark.usefixtures("database_url", "redis_url")
async def test_without_a_number_of_the_account_the_sender_must_have_one(
    twilio: FakeTwilio, tmp_path: Path
) -> None:
    async with pillarbox(twilio, tmp_path):
        with pytest.raises(InvalidMessage) as refused:
            await add_sms(sender={"name": "Shop"}, receiver=RECEIVER, body="Hello")
    assert "sender.cell" in refused.value.errors
