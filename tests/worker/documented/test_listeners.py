"""Listeners of events that run on the queue."""

from collections.abc import Sequence
from typing import Any

import pytest
from arvel.kernel import app

from app.worker.queue import Queue
from app.worker.refusal import Refused
from tests.worker.documented.jobs import Audit, OrderPlaced, Rejecting, SendReceipt, Stranger
from tests.worker.documented.seen import letters, queued, said, waiting, work


async def place(listener: Any) -> Sequence[Any]:
    events = app().make("events")
    events.listen(OrderPlaced, listener)
    return await events.dispatch(OrderPlaced(5))


async def test_worker_calls_the_listener_with_what_the_event_held(queue: Queue) -> None:
    assert await place(SendReceipt) == []
    assert await said("receipt") == []
    assert await queued() == {"default": 1}
    await work(queue)
    assert await said("receipt") == ["5"]


async def test_listener_that_was_made_already_keeps_its_state(queue: Queue) -> None:
    await place(Audit("blue"))
    await work(queue)
    assert await said("audit") == ["blue: 5"]


async def test_listener_that_nobody_allowed_is_refused_where_the_event_is_dispatched(
    queue: Queue,
) -> None:
    with pytest.raises(Refused, match=r"queue\.allow_listener\(\)"):
        await place(Stranger)
    assert await queued() == {}


async def test_listener_is_tried_like_a_job_and_told_of_its_end(queue: Queue) -> None:
    await place(Rejecting)
    await work(queue, passes=3)
    assert len(await said("rejecting")) == 3
    assert await said("rejected") == ["no"]
    assert await waiting() == []
    assert len(await letters()) == 1
