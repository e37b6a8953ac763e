"""A dead letter of a message exists while its item is errored with that attempt, and no longer."""

import asyncio
import uuid

import pytest
from arvel.kernel import Application
from arvel.queue import FailedJob
from redis.asyncio import Redis

from app.items import cancel, evidence, retry
from app.jobs.send_message import SendMessage
from app.models import statements
from app.transports.contract import Accepted, Rejected
from app.worker.letters import LetterRefused
from app.worker.queue import Queue
from tests.fakes.facts import record
from tests.fakes.items import Put, event, history_of, letters_of, put_item, state_of
from tests.feature.operating.command_line import arvel
from tests.feature.operating.conftest import Published
from tests.feature.operating.given import letters, put_letter


@pytest.fixture
def queue(application: Application) -> Queue:
    return application.make("queue")


async def put_dead(error_kind: str = "retries_exhausted") -> tuple[Put, uuid.UUID]:
    item = await put_item("errored", error_kind=error_kind)
    return item, await put_letter(item.id, item.attempt)


async def published_messages(redis_url: str) -> int:
    async with Redis.from_url(redis_url) as redis:
        return int(await redis.xlen("pillarbox:queue:default"))


async def test_retrying_a_letter_is_retrying_its_item(queue: Queue, redis_url: str) -> None:
    item, letter = await put_dead()
    assert [revived.id for revived in await queue.retry_failed(str(letter))] == [letter]
    assert await history_of(item.id) == [("retry", "errored", "queued")]
    assert await letters() == []
    assert await published_messages(redis_url) == 1


async def test_a_letter_of_an_unknown_outcome_names_the_command_that_can_confirm(
    queue: Queue, redis_url: str
) -> None:
    item, letter = await put_dead("outcome_unknown")
    with pytest.raises(LetterRefused, match=f"arvel dispatch:retry {item.id} --confirm"):
        await queue.retry_failed(str(letter))
    assert (await letters(), await state_of(item.id)) == ([letter], "errored")
    assert await published_messages(redis_url) == 0


async def test_a_letter_of_an_earlier_attempt_retries_nothing(queue: Queue) -> None:
    item, letter = await put_dead()
    other = uuid.uuid7()
    await statements.run(
        "UPDATE failed_jobs SET payload = replace(payload, $1::text, $2::text)",
        str(item.attempt),
        str(other),
    )
    with pytest.raises(LetterRefused, match="earlier attempt"):
        await queue.retry_failed(str(letter))
    assert await state_of(item.id) == "errored"


async def test_code_that_retries_a_letter_obeys_the_same_rules(
    queue: Queue, redis_url: str
) -> None:
    item, letter = await put_dead("outcome_unknown")
    [failed] = await FailedJob.get()
    with pytest.raises(LetterRefused, match="--confirm"):
        await failed.retry()
    assert (await letters(), await state_of(item.id)) == ([letter], "errored")

    await statements.run("UPDATE queue_items SET error_kind = 'retries_exhausted'")
    [failed] = await FailedJob.get()
    await failed.retry()
    assert (await letters(), await state_of(item.id)) == ([], "queued")
    assert await published_messages(redis_url) == 1


async def test_a_job_that_is_no_letter_is_published_as_it_is(queue: Queue, redis_url: str) -> None:
    """As a link of a chain is, and a listener's job: nothing of its item changes."""
    item = await put_item("errored", error_kind="rejected")
    await queue.push_instance(SendMessage(str(item.id)))
    assert await published_messages(redis_url) == 1
    assert await state_of(item.id) == "errored"


@pytest.mark.parametrize("act", [retry, cancel])
async def test_a_letter_goes_with_an_operator_s_decision(published: Published, act: object) -> None:
    item, _ = await put_dead()
    await act(item.id, "operator:1")  # type: ignore[operator]
    assert await letters() == []


async def test_a_letter_goes_when_a_late_record_moves_its_item(published: Published) -> None:
    item, _ = await put_dead("outcome_unknown")
    await statements.run("UPDATE attempts SET outcome = 'unknown'")
    await record(item, Accepted("m1"))
    assert (await state_of(item.id), await letters()) == ("awaiting", [])


async def test_a_letter_goes_when_a_late_report_moves_its_item(published: Published) -> None:
    item, _ = await put_dead("outcome_unknown")
    [event_id] = await evidence.store("sandbox", [event("delivered", item.attempt)])
    await evidence.apply(event_id)
    assert (await state_of(item.id), await letters()) == ("succeeded", [])


async def test_a_letter_stays_when_its_item_stays_errored_with_that_attempt(
    published: Published,
) -> None:
    item, letter = await put_dead("outcome_unknown")
    await statements.run("UPDATE attempts SET outcome = 'unknown'")
    await record(item, Rejected("no such user", "550"))
    assert (await state_of(item.id), await letters()) == ("errored", [letter])


@pytest.mark.parametrize("state", ["queued", "sending", "awaiting", "succeeded", "cancelled"])
async def test_a_letter_that_comes_after_its_item_went_on_is_not_kept(
    published: Published, state: str
) -> None:
    item = await put_item(state)
    await put_letter(item.id, item.attempt)
    assert await letters() == []


async def test_an_item_has_one_letter_however_many_write_one(published: Published) -> None:
    item = await put_item("errored", error_kind="outcome_unknown")
    await asyncio.gather(*(put_letter(item.id, item.attempt) for _ in range(5)))
    assert await letters_of(item.id) == 1


@pytest.mark.parametrize("named_first", [True, False])
async def test_the_letter_that_names_the_attempt_is_kept(
    published: Published, named_first: bool
) -> None:
    """A job that was cut off is written down as it came; its rescue knows the attempt."""
    item = await put_item("errored", error_kind="outcome_unknown")
    if named_first:
        kept = await put_letter(item.id, item.attempt)
        await put_letter(item.id, None)
    else:
        await put_letter(item.id, None)
        kept = await put_letter(item.id, item.attempt)
    assert await letters() == [kept]


async def test_letters_and_retries_at_once_leave_no_letter_without_its_item(
    published: Published,
) -> None:
    for _ in range(40):
        item = await put_item("errored", error_kind="retries_exhausted")
        await asyncio.gather(put_letter(item.id, item.attempt), retry(item.id, "operator:1"))
        assert await letters_of(item.id) == 0


async def test_a_letter_and_an_operator_at_once_retry_the_item_once(
    queue: Queue, published: Published
) -> None:
    """Failure point 17."""
    for _ in range(30):
        item, letter = await put_dead()
        failed = await FailedJob.find(str(letter))
        assert failed is not None
        await asyncio.gather(
            queue.retry_failed(str(letter)),
            failed.retry(),
            retry(item.id, "operator:1"),
            return_exceptions=True,
        )
        assert await history_of(item.id) == [("retry", "errored", "queued")]
        assert published.ids == [item.id]
        assert await letters() == []
        published.ids.clear()


async def test_a_letter_and_a_cancel_at_once_have_one_winner(
    queue: Queue, published: Published
) -> None:
    for _ in range(30):
        item, letter = await put_dead()
        await asyncio.gather(
            queue.retry_failed(str(letter)), cancel(item.id, "operator:1"), return_exceptions=True
        )
        moves = await history_of(item.id)
        assert moves[0] in [("retry", "errored", "queued"), ("cancel", "errored", "cancelled")]
        # A retried item is queued, and a cancel that comes second is right to cancel it.
        assert moves[1:] in [[], [("cancel", "queued", "cancelled")]]


async def test_the_command_line_retries_all_it_may_and_tells_of_the_others(
    queue: Queue, redis_url: str
) -> None:
    retried = [await put_dead() for _ in range(2)]
    unknown = [await put_dead("outcome_unknown") for _ in range(2)]
    listed = await arvel("queue:failed")
    assert listed.code == 0
    assert all(str(letter) in listed.out for _, letter in retried + unknown)

    said = await arvel("queue:retry", "all")
    assert said.code == 0
    assert all(f"retried {letter}" in said.out for _, letter in retried)
    assert "Not retried: 2" in said.err
    for item, _ in unknown:
        assert f"arvel dispatch:retry {item.id} --confirm" in said.err
        assert await state_of(item.id) == "errored"
    assert set(await letters()) == {letter for _, letter in unknown}
    assert await published_messages(redis_url) == 2

    again = await arvel("queue:retry", "all")
    assert again.code == 1
    assert "None of 2 was retried" in again.err
    one = await arvel("queue:retry", unknown[0][1])
    assert one.code == 1
    assert "--confirm" in one.err
    assert "Traceback" not in one.err + again.err


async def test_many_refusals_are_counted_and_the_first_are_shown(
    queue: Queue, published: Published
) -> None:
    told: list[str] = []
    queue.letters.tell = told.append
    await put_dead()
    for _ in range(25):
        await put_dead("outcome_unknown")
    assert len(await queue.retry_failed()) == 1
    [text] = told
    assert text.startswith("Not retried: 25\n")
    assert text.count("--confirm") == 20
    assert text.endswith("… and 5 more.")
