"""The broker is away: messages are stored and answered all the same, and published later."""

import time
from typing import Any

import pytest

from app.items import publish, sweep
from app.models import statements
from local import Services
from tests.api.given import count, email, sms
from tests.fakes.items import state_of
from tests.fakes.transports import find_nothing
from tests.fakes.waiting import patience
from tests.fakes.web import Web


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/emails", email()),
        ("/api/sms", sms()),
        ("/api/messages/batch", {"messages": [{"method": "sms", **sms()}] * 3}),
    ],
)
async def test_a_message_is_taken_while_the_broker_is_down_and_published_later(
    api: Web, services: Services, path: str, body: dict[str, Any]
) -> None:
    await api.post(path, json=body)
    before = await count("queue_items")
    services.valkey.kill()
    try:
        began = time.monotonic()
        answer = await api.post(path, json=body, headers={"idempotency-key": "once"})
        assert time.monotonic() - began < patience(2)
        assert answer.status_code == 202, answer.text
    finally:
        services.valkey.start()
    waiting = await statements.run(
        "SELECT id FROM queue_items WHERE error_kind = 'publish_failed' ORDER BY id"
    )
    assert len(waiting) == await count("queue_items") - before == before
    again = await api.post(path, json=body, headers={"idempotency-key": "once"})
    assert again.headers["idempotency-replayed"] == "true"

    published: list[Any] = []

    async def keep(items: Any) -> bool:
        published.extend(item.item_id for item in items)
        return True

    publish.use(keep)
    await statements.run(
        "UPDATE queue_items SET last_updated = now() - interval '1 min',"
        " dispatched_at = now() - interval '1 min', queued = now() - interval '2 min'"
    )
    await sweep.sweep(nothing_waits, find_nothing)
    for row in waiting:
        assert row["id"] in published
        assert await state_of(row["id"]) == "queued"


async def nothing_waits() -> dict[str, Any]:
    return dict.fromkeys(("high", "default", "bulk"))
