"""A message that kills whoever takes it, before the claim: its item ends as poisoned."""

from typing import Any

from app.jobs.send_message import SendMessage
from app.models import statements
from tests.fakes.items import history_of, letters_of, put_item, see
from tests.worker.inside import working
from tests.worker.workers import until

PACE = {"heartbeat": 0.05, "abandoned": 0.1, "look": 0.05, "block": 0.05}


async def test_an_item_whose_message_killed_ten_workers_is_errored_and_says_so(
    application: Any,
) -> None:
    item = await put_item("queued", attempts=0)
    queue = application.make("queue")
    await queue.push_many(SendMessage, [((str(item.id),), None)])
    redis, stream = queue.broker.client, queue.broker.names.stream("default")
    await redis.xgroup_create(stream, "workers", id="0")
    [(_, [(identifier, _)])] = await redis.xreadgroup("workers", "dead", {stream: ">"})
    await redis.xclaim(stream, "workers", "dead", 0, [identifier], retrycount=10)
    async with working(queue, pace=PACE):

        async def is_gone() -> bool:
            return await redis.xlen(stream) == 0

        await until(is_gone)
    row = await see(item.id)
    assert (row["state"], row["error_kind"], row["attempts"]) == ("errored", "poisoned", 0)
    assert "Nothing was sent" in row["result"]
    assert await history_of(item.id) == [("error", "queued", "errored")]


async def test_a_poisoned_message_of_an_item_that_went_on_changes_nothing(
    application: Any,
) -> None:
    from app.providers.letters import count_as_poisoned
    from app.worker.guard import KnownJob

    item = await put_item("succeeded")
    await count_as_poisoned(KnownJob(SendMessage, {"item_id": str(item.id)}))
    assert (await see(item.id))["state"] == "succeeded"
    assert await letters_of(item.id) == 0
    assert await statements.run("SELECT FROM item_history") == []
