"""What is reported about a message that its provider knows again counts for every attempt at it.

An attempt that may have been sent is repeated under the same key where the provider deduplicates:
to it both are one message, and its reports name the first attempt.
"""

import time
import uuid
from dataclasses import replace

import asyncpg
import pytest

from app.items import evidence, outcome
from app.items.outcome import Attempt
from app.models import statements
from app.models.queries import browse, operate
from app.models.queries import claim as claiming
from app.models.statements import Statements
from app.settings import RetrySettings
from app.transports.contract import Accepted, NotSent, Outcome, TryLater, Unknown
from tests.fakes.items import event, put_item, see
from tests.races.held import begin

WINDOW = 3600.0
DOUBTFUL = TryLater("HTTP 500", "500", may_have_been_sent=True)


async def claim(item: uuid.UUID) -> uuid.UUID:
    """Begin the next attempt; its id."""
    await statements.run("UPDATE queue_items SET due_at = now() WHERE id = $1", item)
    attempt = uuid.uuid7()
    row = await claiming.claim(item, attempt, 40.0, "worker")
    assert row is not None
    return attempt


async def record(item: uuid.UUID, attempt: uuid.UUID, result: Outcome) -> None:
    facts = Attempt(item, attempt, "email", 0, 0, "worker")
    entry = replace(outcome.entry_for(facts, result, RetrySettings()), window=WINDOW)
    await outcome.record(entry, clock=time.monotonic)


async def report(said: str, attempt: uuid.UUID, message_id: str | None = "m-1") -> None:
    for event_id in await evidence.store("sandbox", [event(said, attempt, message_id=message_id)]):
        await evidence.apply(event_id)


async def key_of(attempt: uuid.UUID) -> uuid.UUID:
    rows = await statements.run("SELECT provider_key FROM attempts WHERE id = $1", attempt)
    return rows[0]["provider_key"]


async def repeated(first: Outcome = DOUBTFUL) -> tuple[uuid.UUID, uuid.UUID, uuid.UUID]:
    """An item, its first attempt, and the second at the same message, which is being sent."""
    item = (await put_item("queued", attempts=0)).id
    one = await claim(item)
    await record(item, one, first)
    if isinstance(first, Unknown):
        await retry(item)
    two = await claim(item)
    assert await key_of(two) == one
    return item, one, two


async def retry(item: uuid.UUID) -> None:
    answer = await operate.retry(item, "operator", confirm=True, dry_run=False)
    assert answer is not None
    assert answer.moved


async def end_of(item: uuid.UUID) -> tuple[str, str | None]:
    row = await see(item)
    return row["state"], row["error_kind"]


@pytest.mark.parametrize("first", [DOUBTFUL, Unknown("no answer")], ids=["500", "unknown"])
@pytest.mark.parametrize(
    "second", [Accepted("m-1"), Unknown("no answer"), NotSent("no connection"), DOUBTFUL]
)
async def test_failure_that_is_reported_while_it_is_repeated_is_believed(
    database: Statements, first: Outcome, second: Outcome
) -> None:
    item, one, two = await repeated(first)
    await report("failed", one)
    await record(item, two, second)
    assert await end_of(item) == ("errored", "reported")


@pytest.mark.parametrize("second", [Accepted("m-1"), Unknown("no answer")])
async def test_bounce_after_a_delivery_is_believed_though_both_came_while_it_is_repeated(
    database: Statements, second: Outcome
) -> None:
    item, one, two = await repeated()
    await report("delivered", one)
    await report("failed", one)
    await record(item, two, second)
    assert await end_of(item) == ("errored", "reported")


@pytest.mark.parametrize(
    ("said", "end"), [("failed", ("errored", "reported")), ("delivered", ("succeeded", None))]
)
@pytest.mark.parametrize("second", [Accepted("m-1"), Unknown("no answer")])
async def test_report_about_it_counts_after_it_was_repeated(
    database: Statements, second: Outcome, said: str, end: tuple[str, str | None]
) -> None:
    item, one, two = await repeated()
    await record(item, two, second)
    await report(said, one)
    assert await end_of(item) == end


async def test_report_in_flight_while_it_is_repeated_leads_to_awaiting_and_later_ones_count(
    database: Statements,
) -> None:
    item, one, two = await repeated()
    await report("in_flight", one)
    assert await end_of(item) == ("awaiting", None)
    await record(item, two, Accepted("m-1"))
    await report("failed", one)
    assert await end_of(item) == ("errored", "reported")


async def test_receiver_who_opened_it_while_it_is_repeated_has_it(database: Statements) -> None:
    item, one, two = await repeated()
    await report("engaged", one)
    await record(item, two, Unknown("no answer"))
    assert await end_of(item) == ("succeeded", None)


async def test_report_that_waits_while_the_repetition_begins_counts_for_it(
    database: Statements, database_url: str
) -> None:
    item = (await put_item("queued", attempts=0)).id
    one = await claim(item)
    await record(item, one, DOUBTFUL)
    await statements.run("UPDATE queue_items SET due_at = now() WHERE id = $1", item)
    two = uuid.uuid7()
    elsewhere = await asyncpg.connect(database_url.replace("+asyncpg", ""))
    try:
        async with elsewhere.transaction():
            await elsewhere.execute(claiming.CLAIM_ONE, item, two, 40.0, "worker")
            reporting = await begin(report("failed", one))
        await reporting
    finally:
        await elsewhere.close()
    await record(item, two, Accepted("m-1"))
    assert await end_of(item) == ("errored", "reported")


async def test_retry_after_a_reported_failure_is_a_new_message(database: Statements) -> None:
    """Under the old key the provider would answer as the first time, and send nothing."""
    item, one, two = await repeated()
    await record(item, two, Accepted("m-1"))
    await report("failed", one)
    await retry(item)
    assert await key_of(three := await claim(item)) == three


async def test_retry_after_a_failure_that_was_reported_of_an_unknown_attempt_is_a_new_message(
    database: Statements,
) -> None:
    item = (await put_item("queued", attempts=0)).id
    one = await claim(item)
    await record(item, one, Unknown("no answer"))
    await report("failed", one)
    await retry(item)
    assert await key_of(two := await claim(item)) == two


async def test_what_is_known_to_have_failed_is_not_asked_for_again_before_a_retry(
    database: Statements,
) -> None:
    item, one, two = await repeated()
    await record(item, two, Accepted("m-1"))
    await report("failed", one)
    await retry(item)
    await statements.run("UPDATE queue_items SET due_at = now() WHERE id = $1", item)
    row = await claiming.claim(item, uuid.uuid7(), 40.0, "worker")
    assert row is not None
    assert row["doubtful_id"] is None


async def test_it_is_one_copy_however_often_it_is_repeated(database: Statements) -> None:
    item, one, two = await repeated()
    await report("in_flight", one)
    await record(item, two, Accepted("m-1"))
    story = await browse.find_story(item)
    assert story is not None
    assert (len(story.attempts), story.copies) == (2, 1)
