"""The sandbox's reports on their route: believed when signed, refused without a trace otherwise."""

import json
import time
import uuid
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.models import statements
from app.transports.sandbox.webhook import SIGNATURE, TIMESTAMP, sign
from local import Services
from tests.fakes.items import put_item
from tests.fakes.web import Web, serving

SECRET = "a secret of the tests"


@pytest.fixture
async def web(database_url: str, redis_url: str, tmp_path: Path) -> AsyncIterator[Web]:
    async with serving(
        SANDBOX_WEBHOOK_SECRET=SECRET, STORAGE_PATH=str(tmp_path / "storage")
    ) as running:
        yield running


def report(**fields: object) -> bytes:
    facts = {
        "event_id": str(uuid.uuid4()),
        "type": "delivered",
        "message_id": "m-1",
        "recipient": "someone@example.com",
        **fields,
    }
    return json.dumps(facts, default=str).encode()


def signed(body: bytes, *, secret: str = SECRET, at: float | None = None) -> dict[str, str]:
    timestamp = str(int(at or time.time()))
    return {TIMESTAMP: timestamp, SIGNATURE: sign(secret, timestamp, body)}


async def stored() -> list[str]:
    rows = await statements.run("SELECT type FROM delivery_events ORDER BY received_at")
    return [row["type"] for row in rows]


async def test_a_signed_report_is_stored(web: Web) -> None:
    item = await put_item("awaiting")
    body = report(queue_item=item.id, attempt=item.attempt)
    answer = await web.post("/webhooks/email/sandbox", content=body, headers=signed(body))
    assert answer.status_code == 200
    assert await stored() == ["delivered"]


async def test_a_report_that_can_not_be_stored_is_asked_for_again(
    web: Web, services: Services
) -> None:
    item = await put_item("awaiting")
    body = report(queue_item=item.id, attempt=item.attempt)
    services.postgres.kill()
    answer = await web.post("/webhooks/email/sandbox", content=body, headers=signed(body))
    services.postgres.start()
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    again = await web.post("/webhooks/email/sandbox", content=body, headers=signed(body))
    assert again.status_code == 200
    assert await stored() == ["delivered"]


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {SIGNATURE: "", TIMESTAMP: ""},
        signed(report(), secret="another secret"),
        signed(b"another body"),
    ],
    ids=["unsigned", "empty", "foreign secret", "foreign body"],
)
async def test_what_is_not_signed_by_us_is_refused_and_not_stored(
    web: Web, headers: dict[str, str]
) -> None:
    answer = await web.post("/webhooks/email/sandbox", content=report(), headers=headers)
    assert answer.status_code == 403
    assert answer.text == ""
    assert await stored() == []


async def test_an_old_report_is_refused(web: Web) -> None:
    body = report()
    headers = signed(body, at=time.time() - 301)
    answer = await web.post("/webhooks/email/sandbox", content=body, headers=headers)
    assert answer.status_code == 403


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b'{"type": "nonsense"}', b"\xff"])
async def test_a_signed_request_that_is_no_report_is_unreadable(web: Web, body: bytes) -> None:
    answer = await web.post("/webhooks/email/sandbox", content=body, headers=signed(body))
    assert answer.status_code == 400
    assert await stored() == []


async def test_deep_nesting_is_unreadable_and_harms_nobody(web: Web) -> None:
    body = b"[" * 100_000
    answer = await web.post("/webhooks/email/sandbox", content=body, headers=signed(body))
    assert answer.status_code == 400


async def test_a_body_beyond_the_limit_is_not_read(web: Web) -> None:
    body = b"x" * 1_000_001
    answer = await web.post("/webhooks/email/sandbox", content=body, headers=signed(body))
    assert answer.status_code == 413


@pytest.mark.parametrize("path", ["/webhooks/email/nobody", "/webhooks/sms/twilio"])
async def test_a_provider_that_is_not_configured_has_no_route(web: Web, path: str) -> None:
    assert (await web.post(path, content=b"{}")).status_code == 404


async def test_in_production_the_sandbox_has_no_route(
    database_url: str, redis_url: str, tmp_path: Path
) -> None:
    real = {"SMTP_HOST": "mail.example.com", "MESSAGE_ID_DOMAIN": "example.com"}
    async with serving(APP_ENV="production", STORAGE_PATH=str(tmp_path), **real) as web:
        body = report()
        answer = await web.post("/webhooks/email/sandbox", content=body, headers=signed(body))
        assert answer.status_code == 404
