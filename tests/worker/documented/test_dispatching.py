"""Defining a job, dispatching it at once or later."""

from typing import Any

import pytest
from arvel.kernel import app

from app.models.sender import Sender
from app.worker.queue import Queue
from app.worker.refusal import Refused
from tests.worker.documented.jobs import Greet, Injected, Letter2, Report
from tests.worker.documented.seen import queued, said, waiting, work
from tests.worker.probes.notes import Note
from tests.worker.workers import until


async def test_job_waits_on_its_queue_until_a_worker_runs_it(queue: Queue) -> None:
    assert await Report.dispatch(key="a", value="v") is not None
    assert await said("a") == []
    await work(queue)
    assert await said("a") == ["v"]
    assert await queued() == {}


async def test_handle_is_given_what_it_asks_the_container_for(queue: Queue) -> None:
    await Injected.dispatch("a")
    await work(queue)
    assert await said("a") == ["CacheManager"]


async def test_model_arrives_as_its_row_is_by_then(queue: Queue) -> None:
    sender = await Sender.create(name="Before", email="a@example.com", cell="")
    await Greet.dispatch("a", sender)
    await queue.dispatch_after(0, Greet("a", sender))
    await app().make("db").statement("UPDATE senders SET name = 'After'")
    await work(queue)
    assert await said("a") == ["After", "After"]


async def test_delayed_job_is_kept_in_the_database_until_it_is_due(queue: Queue) -> None:
    await Letter2.dispatch_after(600, key="a")
    (row,) = await waiting()
    assert (row.queue, row.seconds // 10) == ("high", 60)
    await work(queue)
    assert await said("a") == []
    await work(queue, passes=2)
    assert await said("a") == ["ran"]
    assert await waiting() == []


async def test_due_jobs_may_be_released_by_hand(queue: Queue) -> None:
    await Report.dispatch_after(0, "a")
    assert await queue.release_due_jobs() == 1
    assert await queued() == {"default": 1}


async def test_job_that_the_broker_can_t_take_waits_in_the_database(
    queue: Queue, services: Any
) -> None:
    services.valkey.kill()
    assert await Report.dispatch("a") is None
    assert len(await waiting()) == 1
    services.valkey.start()
    await until(_released(queue))
    await work(queue)
    assert await said("a") == ["ran"]


def _released(queue: Queue) -> Any:
    async def look() -> bool:
        await queue.release_due_jobs()
        return await waiting() == []

    return look


async def test_job_that_nobody_allowed_is_refused_where_it_is_dispatched(queue: Queue) -> None:
    with pytest.raises(Refused, match=r"queue\.allow\(\)"):
        await Note.dispatch("a")


async def test_job_from_outside_the_application_can_t_wait_in_the_database(queue: Queue) -> None:
    queue.allow(Note)
    await Note.dispatch("a")
    with pytest.raises(Refused, match="subclass"):
        await Note.dispatch_after(5, "a")
