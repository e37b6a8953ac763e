"""Canaries in bodies, addresses and tokens: through successes and failures, into no log line."""

import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from arvel.kernel import Application
from redis.asyncio import Redis

from app.access.permissions import PERMISSIONS
from app.models import statements
from local import Services
from local.ports import HOST, free_port
from tests.fakes.access import bearer, put_token
from tests.fakes.items import put_item
from tests.fakes.processes import arvel
from tests.fakes.waiting import until
from tests.fakes.web import Web

CANARY = "Canary"
EMAIL: dict[str, Any] = {
    "sender": {"name": "Shop", "email": "shop@example.com"},
    "to": [{"name": f"{CANARY}Name", "email": f"{CANARY}@example.com"}],
    "subject": f"{CANARY} subject",
    "text": f"{CANARY} text",
    "html": f"<p>{CANARY} html</p>",
    "headers": {"X-Note": f"{CANARY} header"},
}
SMS: dict[str, Any] = {
    "sender": {"cell": "+15550100009"},
    "receiver": {"name": f"{CANARY}Name", "cell": "+15550100001"},
    "body": f"{CANARY} body",
}
GUESS = "plb_" + CANARY + "a" * 6 + "_" + "b" * 43


@dataclass(frozen=True, slots=True)
class Told:
    """A server in a process of its own that logs all that it can, and what it logged."""

    client: httpx.AsyncClient
    log: Path

    def lines(self, *secrets: str) -> list[str]:
        """What was logged; fails when anything of it is nobody's business."""
        logged = self.log.read_text().splitlines()
        for line in logged:
            for secret in (CANARY, "15550100001", *(s.rpartition("_")[2] for s in secrets)):
                assert secret.lower() not in line.lower()
        return logged


@pytest.fixture
async def told(application: Application, tmp_path: Path) -> AsyncIterator[Told]:
    port, log = free_port(), tmp_path / "log"
    settings = {"LOG_LEVEL": "debug", "STORAGE_PATH": str(tmp_path / "storage")}
    async with (
        arvel("serve", "--port", str(port), environment=settings, log=log),
        httpx.AsyncClient(base_url=f"http://{HOST}:{port}", trust_env=False, timeout=20) as client,
    ):
        await until(lambda: _answers(client), seconds=60)
        yield Told(client, log)


async def _answers(client: httpx.AsyncClient) -> bool:
    try:
        return (await client.get("/livez")).is_success
    except httpx.HTTPError:
        return False


@pytest.fixture
async def token(told: Told) -> str:
    text = await put_token()
    told.client.headers.update(bearer(text))
    return text


async def send(told: Told, path: str, message: dict[str, Any]) -> int:
    key = {"idempotency-key": str(uuid.uuid7())}
    answer = await told.client.post(f"/api/{path}", json=message, headers=key)
    if answer.status_code >= 400:
        assert CANARY.lower() not in answer.text.lower()
    return answer.status_code


async def test_a_success_leaves_nothing_in_logs_and_queues(
    told: Told, token: str, redis_url: str
) -> None:
    assert await send(told, "emails", EMAIL) == 202
    assert await send(told, "sms", SMS) == 202
    made = await told.client.post("/api/tokens", json={"name": "x", "abilities": ["send"]})
    told.lines(token, made.json()["token"])
    async with Redis.from_url(redis_url) as redis:
        kept = [await _read(redis, key) async for key in redis.scan_iter()]
    assert kept
    for text in kept:
        assert CANARY not in text
        assert token.rpartition("_")[2] not in text
    assert not [row for row in await _rows("jobs") if CANARY in row]


async def _read(redis: Redis, key: bytes) -> str:
    """A key and all that is in it, as one text."""
    readers = {
        b"string": redis.get,
        b"stream": redis.xrange,
        b"hash": redis.hgetall,
        b"set": redis.smembers,
    }
    kind = await redis.type(key)
    if kind == b"list":
        return f"{key!r}{await redis.lrange(key, 0, -1)}"
    if kind == b"zset":
        return f"{key!r}{await redis.zrange(key, 0, -1)}"
    return f"{key!r}{await readers[kind](key)}"


async def _rows(table: str) -> list[str]:
    return [row["line"] for row in await statements.run(f"SELECT t::text AS line FROM {table} t")]


REFUSED: tuple[dict[str, Any], ...] = (
    {"to": [{"email": f"{CANARY} at example"}]},
    {f"{CANARY}_field": CANARY},
    {"subject": f"{CANARY}\r\nBcc: x@example.com"},
    {"headers": {"Bcc": f"{CANARY}@example.com"}},
    {"send_at": CANARY},
    {"priority": CANARY},
    {"to": CANARY},
    {"tags": [CANARY * 500]},
)


async def test_a_refusal_repeats_no_value(told: Told, token: str) -> None:
    for change in REFUSED:
        key = {"idempotency-key": str(uuid.uuid7())}
        answer = await told.client.post("/api/emails", json={**EMAIL, **change}, headers=key)
        assert answer.status_code == 422
        assert CANARY not in answer.text.replace(f"{CANARY}_field", "")
    client = told.client
    await client.get(f"/api/queue-items?receiver={CANARY}@example.com")
    await client.get(f"/api/{CANARY}?{CANARY}={CANARY}")
    await client.get(f"/api/attachments/{uuid.uuid7()}/content?link={CANARY * 20}")
    assert (await client.get("/api/me", headers=bearer(GUESS))).status_code == 401
    assert any("token_refused" in line for line in told.lines(token))


@pytest.fixture
async def poisoned(told: Told) -> AsyncIterator[None]:
    """PostgreSQL refuses the row, and quotes all of it in its DETAIL."""
    name = "ALTER TABLE email_messages {} CONSTRAINT no_canaries {}"
    await statements.run(name.format("ADD", f"CHECK (subject NOT LIKE '{CANARY}%') NOT VALID"))
    yield
    await statements.run(name.format("DROP", ""))


@pytest.mark.usefixtures("poisoned")
async def test_a_fault_of_ours_tells_its_kind_and_place_alone(told: Told, token: str) -> None:
    assert await send(told, "emails", EMAIL) == 500
    logged = [line for line in told.lines(token) if "request_failed" in line]
    assert "CheckViolation" in logged[0] or "IntegrityError" in logged[0]
    assert await _rows("queue_items") == []
    assert await _rows("failed_jobs") == []


async def test_without_a_database_nothing_is_told(
    told: Told, token: str, services: Services
) -> None:
    services.postgres.stop()
    try:
        assert await send(told, "emails", EMAIL) == 503
    finally:
        services.postgres.start()
    assert any("request_not_served" in line for line in told.lines(token))


EXPANSIONS = ("sender", "receiver", "email", "attempts", "events", "history", "attachments")


async def test_who_may_not_read_content_sees_none_of_what_providers_said(web: Web) -> None:
    said = f"{CANARY}: mailbox of {CANARY}@example.com is full"
    item = await put_item(
        "errored", error_kind="rejected", result=said, receiver=f"{CANARY}@example.com"
    )
    await statements.run("UPDATE attempts SET text = $1", said)
    await statements.run("UPDATE email_messages SET subject = $1, text = $1", said)
    await statements.run(
        """INSERT INTO item_history (item_id, transition, to_state, actor, text)
        VALUES ($1, 'error', 'errored', 'worker', $2)""",
        item.id,
        said,
    )
    masked = bearer(await put_token(*(set(PERMISSIONS) - {"read_content"})))
    whole = bearer(await put_token())
    for place in (f"/api/queue-items/{item.id}", "/api/queue-items", f"/api/emails/{item.id}"):
        query = "" if "emails" in place else "".join(f"&expand={name}" for name in EXPANSIONS)
        url = f"{place}?{query[1:]}"
        hidden = await web.client.get(url, headers=masked)
        shown = await web.client.get(url, headers=whole)
        assert hidden.status_code == shown.status_code
        assert CANARY not in hidden.text
        if hidden.status_code == 200:
            assert CANARY in shown.text
