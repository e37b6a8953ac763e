"""When an item may not be sent now."""

import uuid

import pytest

from app.models import statements
from app.models.queries import claim as claiming
from app.models.statements import Statements
from app.workflow import State
from tests.fakes.items import history_of, put_item, raw, see, state_of


async def claim(item: uuid.UUID) -> bool:
    return await claiming.claim(item, uuid.uuid7(), 40.0, "worker") is not None


@pytest.mark.parametrize("state", list(State))
async def test_only_queued_and_delayed_items_are_claimed(
    database: Statements, state: State
) -> None:
    item = await put_item(state)
    assert await claim(item.id) == (state in (State.QUEUED, State.DELAYED))


async def test_an_item_is_not_claimed_before_it_is_due(database: Statements) -> None:
    item = await put_item("queued", due_at=raw("now() + interval '1 min'"))
    assert not await claim(item.id)


async def test_an_item_that_is_not_scheduled_is_not_claimed(database: Statements) -> None:
    item = await put_item("queued", due_at=None)
    assert not await claim(item.id)


async def test_an_expired_item_is_not_claimed(database: Statements) -> None:
    item = await put_item("queued", expires_at=raw("now() - interval '1 s'"))
    assert not await claim(item.id)


async def test_nothing_is_claimed_while_its_channel_is_paused(database: Statements) -> None:
    item = await put_item("queued")
    await statements.run("INSERT INTO channels VALUES ('sandbox', now() + interval '1 h', 'test')")
    assert not await claim(item.id)
    await statements.run("UPDATE channels SET paused_until = now() - interval '1 s'")
    assert await claim(item.id)


async def test_a_lost_answer_is_settled_by_reading_back(database: Statements) -> None:
    """The claim is committed, its answer is lost, and the repetition finds the attempt there."""
    item, key = await put_item("queued", attempts=0), uuid.uuid7()
    first = await claiming.claim(item.id, key, 40.0, "worker")
    again = await statements.run(claiming.CLAIMED_BY_ME, item.id, key, 40.0, "worker")
    assert first is not None
    read = dict(again[0].items())
    assert read == {name: first[name] for name in read}


async def test_an_item_on_which_ten_runs_fail_before_their_claim_is_poisoned(
    database: Statements,
) -> None:
    item = await put_item("queued", attempts=0)
    for _ in range(9):
        await claiming.count_failure(item.id, 10, "ten runs failed", "worker")
    assert await state_of(item.id) == "queued"
    await claiming.count_failure(item.id, 10, "ten runs failed", "worker")
    row = await see(item.id)
    assert (row["state"], row["error_kind"]) == ("errored", "poisoned")
    assert await history_of(item.id) == [("error", "queued", "errored")]


async def test_a_claim_forgets_runs_that_failed_before(database: Statements) -> None:
    item = await put_item("queued", attempts=0)
    await claiming.count_failure(item.id, 10, "", "worker")
    await claim(item.id)
    assert (await see(item.id))["failures"] == 0


async def test_a_next_attempt_keeps_the_providers_key_while_the_last_may_have_been_sent(
    database: Statements,
) -> None:
    first = uuid.uuid7()
    soon = raw("now() + interval '1 min'")
    item = await put_item("queued", current=False, inherit_key=first, inherit_until=soon)
    row = await claiming.claim(item.id, uuid.uuid7(), 40.0, "worker")
    assert row is not None
    assert row["provider_key"] == first


async def test_the_key_is_a_new_one_once_the_provider_has_forgotten_the_old_one(
    database: Statements,
) -> None:
    first, mine, past = uuid.uuid7(), uuid.uuid7(), raw("now() - interval '1 s'")
    item = await put_item("queued", current=False, inherit_key=first, inherit_until=past)
    row = await claiming.claim(item.id, mine, 40.0, "worker")
    assert row is not None
    assert row["provider_key"] == mine


async def test_an_item_of_a_paused_channel_is_put_off_and_comes_due_again(
    database: Statements,
) -> None:
    item = await put_item("queued", attempts=0)
    await statements.run("INSERT INTO channels VALUES ('sandbox', 'infinity', 'test')")
    await claiming.postpone(item.id, 600.0)
    row = await see(item.id)
    assert row["due_at"] > row["postponed_from"]
    assert await state_of(item.id) == "queued"
