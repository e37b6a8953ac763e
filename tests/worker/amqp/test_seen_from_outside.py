"""RabbitMQ as the broker of the whole application, and what is seen of it."""

import asyncio
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from redis.asyncio import Redis

from app.doctor import Verdict
from app.models import statements
from local import Services
from local.rabbitmq import RabbitMQ
from tests.fakes.access import bearer, put_token
from tests.fakes.processes import arvel
from tests.fakes.waiting import patience, until
from tests.fakes.web import serving
from tests.feature.doctor.given import look
from tests.watching.page import scrape
from tests.worker.amqp import raw

MESSAGE = {
    "sender": {"email": "shop@example.com"},
    "to": [{"email": "ada@example.com"}],
    "subject": "Hello",
    "text": "Text",
}
TOKEN = "sixteen characters or more"


@pytest.mark.usefixtures("on_rabbitmq")
async def test_what_the_web_process_queues_a_worker_sends(
    database_url: str, redis_url: str, tmp_path: Path
) -> None:
    async with serving(METRICS_TOKEN=TOKEN) as web:
        web.client.headers.update(bearer(await put_token()))
        for priority in ("high", "default", "bulk"):
            answer = await web.post("/api/emails", json={**MESSAGE, "priority": priority})
            assert answer.status_code == 202, answer.text
        trusted = {"Authorization": f"Bearer {TOKEN}"}
        shown = (await web.client.get("/health", headers=trusted)).json()
        assert shown["checks"]["rabbitmq"] == "up"
        page = await scrape(web, **trusted)
        assert page.value("pillarbox_up", server="rabbitmq") == 1
        assert page.value("pillarbox_stream_messages") == 3
        async with Redis.from_url(redis_url) as redis:
            assert not [key for key in await redis.keys() if b"queue:" in key]
        work = ("dispatch:work", "--stop-when-empty", "--no-scheduler")
        async with asyncio.timeout(patience(30)), arvel(*work, log=tmp_path / "log") as process:
            assert await process.wait() == 0, (tmp_path / "log").read_text()
        await until(_are_sent)


async def _are_sent() -> bool:
    rows = await statements.run("SELECT accepted_at FROM queue_items")
    return len(rows) == 3 and all(row["accepted_at"] for row in rows)


def settings(server: RabbitMQ, **more: str) -> dict[str, str]:
    return {"QUEUE_CONNECTION": "amqp", "QUEUE_URL": server.url, "QUEUE_PREFIX": "doctor:", **more}


async def test_the_doctor_says_what_waits_and_makes_nothing(
    services: Services,
    database_url: str,
    redis_url: str,
    rabbitmq: RabbitMQ,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in settings(rabbitmq).items():
        monkeypatch.setenv(name, value)
    found = await look(services, tmp_path, **settings(rabbitmq))
    assert found.verdict("rabbitmq") is Verdict.OK
    assert found["rabbitmq"].text.startswith("RabbitMQ 3.")
    assert found["queues"].text == "On the queues: 0 high, 0 default, 0 bulk."
    await raw.declare("bulk")
    found = await look(services, tmp_path, **settings(rabbitmq))
    assert found.verdict("queues") is Verdict.WRONG
    assert "doctor:queue:bulk" in found["queues"].text


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("amqp://guest:canary@127.0.0.1:1/", "refuses connections"),
        ("amqp://guest:canary@127.0.0.1:{port}/", "refuses our user or password"),
        ("amqp://guest:{password}@127.0.0.1:{port}/canary", "has no such virtual host"),
    ],
)
async def test_the_doctor_says_why_it_can_not_be_reached(
    address: str,
    says: str,
    services: Services,
    database_url: str,
    redis_url: str,
    rabbitmq: RabbitMQ,
    tmp_path: Path,
) -> None:
    url = address.format(port=rabbitmq.port, password=urlsplit(rabbitmq.url).password)
    found = await look(services, tmp_path, **{**settings(rabbitmq), "QUEUE_URL": url})
    assert says in found["rabbitmq"].text
    assert "canary" not in found.text
