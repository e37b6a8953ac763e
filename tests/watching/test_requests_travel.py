"""The id of a request travels with the jobs that it dispatches, and nothing else of its log."""

import json
import re
import time
import uuid

from arvel.kernel.logging import LogManager
from redis.asyncio import Redis

from app.jobs.apply_delivery_event import ApplyDeliveryEvent
from app.transports.sandbox.webhook import SIGNATURE, TIMESTAMP, sign
from tests.fakes.items import put_item
from tests.fakes.web import Web, serving

SECRET = "a secret of the tests"
STREAM = "pillarbox:queue:default"


async def bound_to_jobs(redis_url: str) -> list[str]:
    """What the jobs on the stream have of a log's context, one text for each."""
    async with Redis.from_url(redis_url) as redis:
        entries = await redis.xrange(STREAM)
    jobs = [json.loads(json.loads(fields[b"data"])["args"][0]) for _, fields in entries]
    return [json.dumps([job["_log_context"], job["_context"]]) for job in jobs]


async def test_a_report_s_request_is_known_to_the_job_that_applies_it(
    database_url: str, redis_url: str
) -> None:
    async with serving(SANDBOX_WEBHOOK_SECRET=SECRET) as web:
        item, at = await put_item("awaiting"), str(int(time.time()))
        body = json.dumps(
            {
                "event_id": str(uuid.uuid4()),
                "type": "delivered",
                "message_id": "m-1",
                "recipient": "someone@example.com",
                "queue_item": str(item.id),
                "attempt": str(item.attempt),
            }
        ).encode()
        headers = {TIMESTAMP: at, SIGNATURE: sign(SECRET, at, body)}
        answer = await web.post("/webhooks/email/sandbox", content=body, headers=headers)
        assert answer.status_code == 200
    (bound,) = await bound_to_jobs(redis_url)
    assert re.search(r'"request_id": "[0-9a-f-]{36}"', bound)


async def test_only_ids_of_request_and_actor_travel(web: Web, redis_url: str) -> None:
    asked = str(uuid.uuid7())
    with LogManager.bound_context(request_id=asked, actor_id="token:1", subject="canary"):
        await ApplyDeliveryEvent.dispatch(str(uuid.uuid7()))
    (bound,) = await bound_to_jobs(redis_url)
    assert asked in bound
    assert "token:1" in bound
    assert "canary" not in bound
