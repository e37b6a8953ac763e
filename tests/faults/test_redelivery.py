"""Every job comes three times at once, and once more later: what it does, it does once."""

import asyncio
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import pytest
from arvel.queue import Job

from app.items import bulk_operations, evidence, publish
from app.jobs.apply_delivery_event import ApplyDeliveryEvent
from app.jobs.play_sandbox import PlaySandbox
from app.jobs.poll_twilio import PollTwilio
from app.jobs.prune_attachments import PruneAttachments
from app.jobs.prune_history import PruneHistory
from app.jobs.run_bulk_operation import ResumeBulkOperations, RunBulkOperation
from app.jobs.send_message import SendMessage
from app.jobs.sweep_items import SweepItems
from app.jobs.timeout_sms import TimeoutSms
from app.models import statements
from app.models.queries import sandbox
from app.models.queries.bulk_filter import Filter
from app.transports import channels
from app.transports.contract import Found
from app.worker.queue import Queue
from tests.fakes.items import event, history_of, letters_of, put_item, raw
from tests.fakes.transports import Scripted, scripted_channels
from tests.feature.compose.conftest import Published
from tests.feature.retention.given import count, email_with, finish, stored

LONG_AGO = raw("now() - interval '3 hours'")


@dataclass
class Stage:
    """The application on which a job plays, and what it may do to others."""

    application: Any
    published: Published

    def keep(self, **settings: float) -> None:
        for name, value in settings.items():
            self.application.make("config").set(f"dispatch.{name}", value)


type Look = Callable[[], Awaitable[object]]
type Scene = Callable[[Stage], Awaitable[tuple[Job, Look, object]]]
"""A job, what one can see of its work, and what that is to be."""


async def send(_: Stage) -> tuple[Job, Look, object]:
    transport = Scripted()
    channels.use(scripted_channels(transport))
    item = await put_item("queued", attempts=0)

    async def look() -> object:
        return await history_of(item.id), len(transport.sent)

    moves = [("send", "queued", "sending"), ("await", "sending", "awaiting")]
    return SendMessage(str(item.id)), look, (moves, 1)


async def apply_event(_: Stage) -> tuple[Job, Look, object]:
    item = await put_item("awaiting")
    (event_id,) = await evidence.store("sandbox", [event("delivered", item.attempt)])
    moves = [("succeed", "awaiting", "succeeded")]
    return ApplyDeliveryEvent(str(event_id)), lambda: history_of(item.id), moves


async def poll(_: Stage) -> tuple[Job, Look, object]:
    transport = Scripted("sms")
    built = scripted_channels(transport)
    built.pollable.append("sandbox")
    channels.use(built)
    item = await put_item("awaiting", method="sms", message_id="m-1")
    await statements.run("UPDATE attempts SET message_id = 'm-1' WHERE id = $1", item.attempt)

    async def status(_: str) -> Found:
        return Found((event("delivered", item.attempt),))

    transport.status = status

    async def look() -> object:
        return await history_of(item.id), await count("delivery_events")

    return PollTwilio(), look, ([("succeed", "awaiting", "succeeded")], 1)


async def time_out(_: Stage) -> tuple[Job, Look, object]:
    channels.use(scripted_channels(Scripted("sms")))
    item = await put_item("awaiting", method="sms", queued=LONG_AGO)
    return TimeoutSms(), lambda: history_of(item.id), [("timeout", "awaiting", "unconfirmed")]


async def sweep(stage: Stage) -> tuple[Job, Look, object]:
    """Everything that it finds again, once each."""
    abandoned = await put_item("sending", lease_until=LONG_AGO)
    lost = await put_item("queued", attempts=0, due_at=LONG_AGO, dispatched_at=LONG_AGO)
    unpublished = await put_item(
        "errored",
        attempts=0,
        error_kind="publish_failed",
        last_updated=LONG_AGO,
    )
    expired = await put_item("queued", attempts=0, due_at=LONG_AGO, expires_at=LONG_AGO)
    awaiting = await put_item("awaiting")
    await evidence.store("sandbox", [event("delivered", awaiting.attempt)])
    await statements.run("UPDATE delivery_events SET received_at = now() - interval '1 min'")

    async def look() -> object:
        items = (abandoned, unpublished, expired, awaiting)
        moves = [await history_of(item.id) for item in items]
        return moves, await letters_of(abandoned.id), sorted(stage.published.ids)

    moves = [
        [("error", "sending", "errored")],
        [("retry", "errored", "queued")],
        [("cancel", "queued", "cancelled")],
        [("succeed", "awaiting", "succeeded")],
    ]
    return SweepItems(), look, (moves, 1, sorted([lost.id, unpublished.id]))


async def play(stage: Stage) -> tuple[Job, Look, object]:
    posted: list[object] = []

    class Reporter:
        async def post(self, _: str, report: object) -> bool:
            posted.append(report)
            return True

    stage.application.instance("sandbox.reporter", Reporter())
    await sandbox.plan("email", {"event_id": "1"}, 0)

    async def look() -> object:
        return posted, await sandbox.any_planned()

    return PlaySandbox(), look, ([{"event_id": "1"}], False)


async def run_bulk(stage: Stage) -> tuple[Job, Look, object]:
    bulk_operations.use(_tell_nobody)
    items = [await put_item("errored", error_kind="rejected") for _ in range(3)]
    operation = await bulk_operations.start("retry", Filter(state="errored"), "operator:1")

    async def look() -> object:
        found = await bulk_operations.find(operation.id)
        return found and found.done, sorted(stage.published.ids)

    return RunBulkOperation(str(operation.id)), look, (3, sorted(i.id for i in items))


async def resume_bulk(stage: Stage) -> tuple[Job, Look, object]:
    bulk_operations.use(_tell_nobody)
    await put_item("errored", error_kind="rejected")
    await bulk_operations.start("retry", Filter(state="errored"), "operator:1")
    await statements.run("UPDATE bulk_operations SET last_updated = now() - interval '1 hour'")
    broker = stage.application.make("queue").broker

    async def look() -> object:
        return await broker.client.xlen(broker.names.stream("bulk"))

    return ResumeBulkOperations(), look, 1


async def _tell_nobody(_: uuid.UUID) -> None:
    """Operations are started by the job under test alone."""


async def prune_files(stage: Stage) -> tuple[Job, Look, object]:
    stage.keep(max_files_age_in_seconds=0)
    await finish(await email_with(b"old"))
    await email_with(b"needed")

    async def look() -> object:
        [row] = await statements.run("SELECT count(removed_at) AS n FROM blobs")
        return stored(), row["n"]

    return PruneAttachments(), look, ([b"needed"], 1)


async def prune_history(stage: Stage) -> tuple[Job, Look, object]:
    stage.keep(history_keep_days=35)
    await finish(await put_item("succeeded"), ago=36 * 86_400)
    await finish(await put_item("succeeded"), ago=34 * 86_400)
    return PruneHistory(), lambda: count("queue_items"), 1


SCENES: dict[type[Job], Scene] = {
    SendMessage: send,
    ApplyDeliveryEvent: apply_event,
    PollTwilio: poll,
    TimeoutSms: time_out,
    SweepItems: sweep,
    PlaySandbox: play,
    RunBulkOperation: run_bulk,
    ResumeBulkOperations: resume_bulk,
    PruneAttachments: prune_files,
    PruneHistory: prune_history,
}


@pytest.mark.parametrize("job_cls", SCENES, ids=lambda job_cls: job_cls.__name__)
async def test_a_job_that_comes_again_does_nothing_twice(
    application: Any, job_cls: type[Job]
) -> None:
    published = Published()
    publish.use(published)
    job, look, expected = await SCENES[job_cls](Stage(application, published))
    run = application.make("queue")._worker._invoke
    await asyncio.gather(*(run(job) for _ in range(3)))
    await run(job)
    assert await look() == expected


async def test_there_is_no_other_job(application: Any) -> None:
    queue: Queue = application.make("queue")
    queue.known.discover()
    ours = {job for job in queue.known._jobs.values() if job.__module__.startswith("app.")}
    assert ours == set(SCENES)
