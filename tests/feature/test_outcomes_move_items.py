"""What becomes of an item when its call is over."""

import uuid

import pytest

from app.items import outcome
from app.items.outcome import retry_delay
from app.models import statements
from app.models.statements import Statements
from app.settings import RetrySettings
from app.transports.contract import Accepted, NotSent, Rejected, RejectKind, TryLater, Unknown
from tests.fakes.facts import attempt_of, record
from tests.fakes.items import history_of, letters_of, put_item, raw, see, state_of
from tests.fakes.transports import find_nothing


@pytest.mark.parametrize(
    ("result", "state", "error"),
    [
        (Accepted("m"), "awaiting", None),
        (Accepted("m", final=True), "succeeded", None),
        (Rejected("no", "550"), "errored", "rejected"),
        (Rejected("stop", "21610", RejectKind.OPTED_OUT), "errored", "opted_out"),
        (Rejected("login", "535", RejectKind.CONFIGURATION), "errored", "configuration"),
        (TryLater("busy", "451"), "delayed", None),
        (NotSent("refused"), "delayed", None),
        (Unknown("no answer"), "errored", "outcome_unknown"),
    ],
)
async def test_an_outcome_moves_the_item_it_was_for(
    database: Statements, result: object, state: str, error: str | None
) -> None:
    item = await put_item("sending")
    await record(item, result)
    row = await see(item.id)
    assert (row["state"], row["error_kind"]) == (state, error)
    assert [to for _, _, to in await history_of(item.id)] == [state]


async def test_a_retry_waits_twice_as_long_each_time_up_to_ten_minutes() -> None:
    settings = RetrySettings()
    item = attempt_of_nothing()
    delays = [retry_delay(item(retries=n), TryLater("busy"), settings) for n in range(12)]
    assert delays == [16, 32, 64, 128, 256, 512, 600, 600, 600, 600, 600, 600]


def attempt_of_nothing():
    def make(retries: int) -> outcome.Attempt:
        return outcome.Attempt(uuid.uuid7(), uuid.uuid7(), "email", retries, 0, "worker")

    return make


async def test_what_the_provider_asks_for_is_obeyed() -> None:
    """Field report 54: greylisting waits at least as long as the server says."""
    later = TryLater("greylisted", "451", retry_after=300)
    assert retry_delay(attempt_of_nothing()(0), later, RetrySettings()) == 300


async def test_jitter_is_there_only_when_it_is_asked_for() -> None:
    """Field report 54."""
    settings = RetrySettings(retry_jitter=True)
    delays = {retry_delay(attempt_of_nothing()(3), TryLater("busy"), settings) for _ in range(20)}
    assert len(delays) > 1
    assert all(64 <= delay <= 192 for delay in delays)


async def test_three_tries_are_three_attempts_and_then_an_error(database: Statements) -> None:
    """Field report 60: with DISPATCH_MAX_RETRIES=2 the third failure is the last one."""
    settings = RetrySettings(max_retries=2)
    entries = []
    for retries in range(3):
        item = await put_item("sending", retries=retries)
        entry = outcome.entry_for(
            attempt_of(item, retries=retries), TryLater("busy", "451"), settings
        )
        await outcome.record(entry)
        entries.append(((await see(item.id))["state"], (await see(item.id))["error_kind"]))
    assert entries == [
        ("delayed", None),
        ("delayed", None),
        ("errored", "retries_exhausted"),
    ]


async def test_a_message_that_was_not_sent_costs_no_retry(database: Statements) -> None:
    item = await put_item("sending", retries=3)
    await record(item, NotSent("refused"), retries=3)
    row = await see(item.id)
    assert (row["retries"], row["not_sent"], row["retry_delay"]) == (3, 1, 0.0)


async def test_messages_that_can_not_leave_back_off(database: Statements) -> None:
    for before, delay in ((0, 0.0), (1, 60.0), (2, 120.0), (4, 480.0), (5, 600.0), (32_000, 600.0)):
        item = await put_item("sending", not_sent=before)
        await record(item, NotSent("refused"), not_sent=before)
        assert (await see(item.id))["retry_delay"] == delay


async def test_the_record_of_another_attempt_changes_nothing(database: Statements) -> None:
    item = await put_item("sending")
    stranger = await put_item("sending")
    await outcome.record(
        outcome.entry_for(
            outcome.Attempt(item.id, stranger.attempt, "email", 0, 0, "worker"),
            Accepted("m"),
            RetrySettings(),
        )
    )
    assert await state_of(item.id) == "sending"


async def test_a_message_id_that_an_earlier_attempt_has_is_no_reason_to_lose_the_outcome(
    database: Statements,
) -> None:
    first, second = await put_item("sending"), await put_item("sending")
    await record(first, Accepted("the same"))
    await record(second, Accepted("the same"))
    assert await state_of(second.id) == "awaiting"


async def test_a_late_record_corrects_what_was_called_unknown(database: Statements) -> None:
    item = await put_item("errored", error_kind="outcome_unknown")
    await record(item, Accepted("m"))
    assert await state_of(item.id) == "awaiting"


async def test_unknown_is_not_recorded_over_a_report(database: Statements) -> None:
    item = await put_item("awaiting")
    await record(item, Unknown("no answer"))
    assert await state_of(item.id) == "awaiting"


async def test_an_abandoned_attempt_is_called_unknown_and_leaves_a_dead_letter(
    database: Statements,
) -> None:
    from app.items import rescue

    dead = await put_item("sending", lease_until=raw("now() - interval '6 s'"))
    alive = await put_item("sending", lease_until=raw("now() - interval '4 s'"))
    await rescue.rescue(find_nothing, 10)
    row = await see(dead.id)
    assert (row["state"], row["error_kind"]) == ("errored", "outcome_unknown")
    assert "may or may not" in row["result"]
    assert await letters_of(dead.id) == 1
    assert await state_of(alive.id) == "sending"


async def test_the_rescue_believes_what_was_reported(database: Statements) -> None:
    """Field report 20: known by its event, so nothing is unknown and nothing is sent twice."""
    from app.items import evidence, rescue
    from tests.fakes.items import event

    item = await put_item("sending", lease_until=raw("now() - interval '6 s'"))
    await evidence.store("sandbox", [event("delivered", item.attempt)])
    await rescue.rescue(find_nothing, 10)
    assert await state_of(item.id) == "succeeded"
    assert await letters_of(item.id) == 0


async def test_a_dead_letter_is_in_the_form_that_arvel_reads(database: Statements) -> None:
    from arvel.queue.serialization import deserialize_instance

    from app.items import rescue
    from app.jobs.send_message import SendMessage

    item = await put_item("sending", lease_until=raw("now() - interval '6 s'"))
    await rescue.rescue(find_nothing, 10)
    rows = await statements.run("SELECT payload FROM failed_jobs WHERE item_id = $1", item.id)
    job = await deserialize_instance(rows[0]["payload"])
    assert isinstance(job, SendMessage)
    assert (job.item_id, job.attempt_id) == (str(item.id), str(item.attempt))
