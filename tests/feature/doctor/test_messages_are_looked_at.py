"""What the doctor says about items, channels, files and queues."""

import uuid
from pathlib import Path

import pytest
from redis.asyncio import Redis

from app.doctor import Verdict
from app.models import statements
from app.models.queries import workers
from app.worker import identity
from app.worker.names import GROUP, Names
from app.worker.options import Options
from tests.fakes.items import put_attempt, put_item, raw
from tests.feature.doctor.conftest import Examine

OK, WARNING, WRONG = Verdict.OK, Verdict.WARNING, Verdict.WRONG
NAMES = Names("pillarbox:")
AGO = "statement_timestamp() - interval '10 minutes'"


async def test_items_that_nobody_sends_are_counted(examine: Examine) -> None:
    await put_item("queued", attempts=0)
    assert (await examine()).verdict("items waiting") is OK
    await put_item("queued", attempts=0, due_at=raw(AGO))
    await put_item("delayed", due_at=raw(AGO))
    found = await examine()
    assert found.verdict("items waiting") is WARNING
    assert "2, the first since 10 min" in found["items waiting"].text


async def test_an_attempt_that_nobody_settles_is_wrong(examine: Examine) -> None:
    await put_item("sending")
    assert (await examine()).verdict("items stuck") is OK
    await put_item("sending", lease_until=raw(AGO))
    found = await examine()
    assert found.verdict("items stuck") is WRONG
    assert "worker" in found["items stuck"].remedy


async def test_unknown_outcomes_wait_for_a_person(examine: Examine) -> None:
    await put_item("errored", error_kind="rejected")
    assert (await examine()).verdict("outcomes unknown") is OK
    await put_item("errored", error_kind="outcome_unknown")
    found = await examine()
    assert found.verdict("outcomes unknown") is WARNING
    assert "--confirm" in found["outcomes unknown"].remedy


async def test_dead_letters_are_counted(examine: Examine) -> None:
    await statements.run(
        "INSERT INTO failed_jobs (id, queue, payload, exception, failed_at) VALUES ($1, 'default',"
        ' \'{"job": "app.jobs.send_message:SendMessage", "state": {}}\', \'canary\', now())',
        uuid.uuid7(),
    )
    found = await examine()
    assert found.verdict("dead letters") is WARNING
    assert "queue:failed" in found["dead letters"].remedy
    assert "canary" not in found.text


async def put_event(verdict: str | None) -> None:
    await statements.run(
        "INSERT INTO delivery_events (id, provider, event_key, type, report, verdict, received_at)"
        f" VALUES ($1, 'sandbox', $2, 'delivered', 'delivered', $3, {AGO})",
        *(uuid.uuid7(), str(uuid.uuid7()), verdict),
    )


async def test_reports_that_nobody_applies_are_told_from_those_that_fit_nothing(
    examine: Examine,
) -> None:
    await put_event(None)
    found = await examine()
    assert (found.verdict("events unapplied"), found.verdict("orphans")) == (WARNING, OK)
    await put_event("orphan")
    found = await examine()
    assert (found.verdict("events unapplied"), found.verdict("orphans")) == (WARNING, WARNING)


async def test_more_than_a_thousand_are_not_counted(examine: Examine) -> None:
    await statements.run(
        "INSERT INTO delivery_events (id, provider, event_key, type, report, verdict)"
        " SELECT gen_random_uuid(), 'sandbox', n::text, 'delivered', 'delivered', 'orphan'"
        " FROM generate_series(1, 1001) AS n"
    )
    assert "more than 1000" in (await examine())["orphans"].text


async def test_a_paused_channel_is_named_with_its_reason(examine: Examine) -> None:
    await statements.run(
        "INSERT INTO channels (name, paused_until, pause_reason) VALUES"
        " ('smtp', 'infinity', 'The database has lost commits.')"
    )
    found = await examine()
    assert found.verdict("channels paused") is WARNING
    assert "smtp is paused until it is resumed" in found["channels paused"].text
    assert "The database has lost commits." in found["channels paused"].text
    assert "dispatch:resume smtp" in found["channels paused"].remedy


async def test_a_pause_that_is_over_is_not_mentioned(examine: Examine) -> None:
    await statements.run(f"INSERT INTO channels (name, paused_until) VALUES ('smtp', {AGO})")
    assert (await examine()).verdict("channels paused") is OK


async def test_it_is_said_where_new_messages_go(examine: Examine) -> None:
    found = await examine(SMTP_HOST="mail.example.com", MESSAGE_ID_DOMAIN="example.com")
    assert "smtp" in found["channels email"].text
    assert "sandbox" in found["channels sms"].text


async def test_outcomes_that_the_database_did_not_take_are_named(
    examine: Examine, tmp_path: Path
) -> None:
    item = await put_item("sending")
    keep(tmp_path, item.attempt)
    found = await examine()
    assert found.verdict("storage unrecorded") is WARNING
    assert str(item.attempt) in found["storage unrecorded"].text
    assert found.verdict("lost commits") is OK


async def test_an_attempt_that_the_database_has_lost_is_wrong(
    examine: Examine, tmp_path: Path
) -> None:
    keep(tmp_path, uuid.uuid7())
    found = await examine()
    assert found.verdict("lost commits") is WRONG
    assert "dispatch:pause" in found["lost commits"].remedy


async def test_a_loss_that_was_found_stays_wrong_until_its_file_is_removed(
    examine: Examine, tmp_path: Path
) -> None:
    keep(tmp_path, uuid.uuid7(), "lost")
    found = await examine()
    assert found.verdict("lost commits") is WRONG
    assert "*.lost" in found["lost commits"].remedy
    assert found.verdict("storage unrecorded") is OK


async def test_outcomes_that_the_database_refuses_are_named(
    examine: Examine, tmp_path: Path
) -> None:
    item = await put_item("sending")
    keep(tmp_path, item.attempt, "refused")
    found = await examine()
    assert found.verdict("storage unrecorded") is WARNING
    assert str(item.attempt) in found["storage unrecorded"].text
    assert ".refused" in found["storage unrecorded"].remedy


async def test_an_attempt_that_only_its_provider_knew_is_wrong_until_sending_is_resumed(
    examine: Examine,
) -> None:
    item = await put_item("awaiting")
    await put_attempt(item.id, uuid.uuid7(), number=2, recovered=True)
    await statements.run("INSERT INTO channels (name, paused_until) VALUES ('smtp', 'infinity')")
    found = await examine()
    assert found.verdict("lost commits") is WRONG
    assert "dispatch:resume" in found["lost commits"].remedy
    await statements.run("UPDATE channels SET paused_until = NULL")
    found = await examine()
    assert found.verdict("lost commits") is WARNING
    assert "1 attempts were known to a provider" in found["lost commits"].text


def keep(folder: Path, attempt: uuid.UUID, ending: str = "json") -> None:
    unrecorded = folder / "storage" / "unrecorded"
    unrecorded.mkdir(parents=True, exist_ok=True)
    (unrecorded / f"{attempt}.{ending}").write_text("{}")


async def test_a_folder_that_can_not_be_written_to_is_wrong(examine: Examine) -> None:
    assert (await examine(STORAGE_PATH="/dev/null/storage")).verdict("storage") is WRONG


async def test_a_sweep_that_stopped_is_noticed(examine: Examine) -> None:
    assert (await examine()).verdict("sweep") is WARNING
    await statements.run("INSERT INTO ticks (name, last_run) VALUES ('sweep_items', now())")
    assert (await examine()).verdict("sweep") is OK
    await statements.run(f"UPDATE ticks SET last_run = {AGO}")
    found = await examine()
    assert found.verdict("sweep") is WARNING
    assert "10 min ago" in found["sweep"].text


@pytest.fixture
async def broker(redis_url: str) -> Redis:
    return Redis.from_url(redis_url)


async def test_messages_that_no_worker_has_ever_read_are_noticed(
    examine: Examine, broker: Redis
) -> None:
    await broker.xadd(NAMES.stream("high"), {"data": "x"})
    found = await examine()
    assert found.verdict("queues") is WARNING
    assert "1 high, 0 default, 0 bulk" in found["queues"].text
    await broker.aclose()


async def test_a_key_of_somebody_else_in_place_of_a_queue_is_wrong(
    examine: Examine, broker: Redis
) -> None:
    await broker.set(NAMES.stream("bulk"), "canary")
    found = await examine()
    assert found.verdict("queues") is WRONG
    assert NAMES.stream("bulk") in found["queues"].text
    assert "QUEUE_PREFIX" in found["queues"].remedy
    assert "canary" not in found.text
    await broker.aclose()


async def test_a_queue_that_is_read_is_well(examine: Examine, broker: Redis) -> None:
    stream = NAMES.stream("high")
    await broker.xgroup_create(stream, GROUP, id="0", mkstream=True)
    await broker.xadd(stream, {"data": "x"})
    assert (await examine()).verdict("queues") is OK
    await broker.aclose()


async def test_a_worker_is_alive_for_as_long_as_it_says_so(examine: Examine) -> None:
    assert (await examine()).verdict("workers") is WARNING
    await workers.take(identity.standing(Options(concurrency=1)), silence=30.0)
    found = await examine()
    assert (found.verdict("workers"), found["workers"].text) == (OK, "1 alive.")
    await statements.run(f"UPDATE workers SET heartbeat_at = {AGO}")
    assert (await examine()).verdict("workers") is WARNING


async def test_messages_that_were_put_aside_are_noticed(examine: Examine, broker: Redis) -> None:
    await broker.xadd(NAMES.quarantine, {"queue": "default", "reason": "x", "data": "canary"})
    found = await examine()
    assert found.verdict("quarantine") is WARNING
    assert "canary" not in found.text
    await broker.aclose()


async def test_a_broker_in_memory_is_noticed(examine: Examine) -> None:
    found = await examine(QUEUE_CONNECTION="memory")
    assert found.verdict("broker") is WARNING
    assert "queues" not in found.checks
